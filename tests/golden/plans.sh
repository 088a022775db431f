# Prints the plans of all cases. usage: plans.sh WEFT FOLDER
unset WEFT_RANKS_PER_NODE
plan=$(mktemp)
trap 'rm -f "$plan"' EXIT
while IFS= read -r text; do
    [ -n "$text" ] || continue
    # `PROBLEM --machine NAME`: with the weight, say, that the model of that machine chooses.
    machine=()
    case $text in
    *" --machine "*)
        machine=(--machine "${text##* --machine }")
        text=${text%% --machine *}
        ;;
    esac
    "$1" explain "$text; engine=reference" "${machine[@]}" >"$plan" || exit 1
    # Without the verdict, which says it all once more.
    awk '/^verdict/ {skip = 1; next} skip && /^           / {next} {skip = 0; print}' "$plan"
    echo
done <"$2/cases.txt"
