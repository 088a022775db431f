# Prints the plans of all cases. usage: plans.sh WEFT FOLDER
unset WEFT_RANKS_PER_NODE
while IFS= read -r text; do
    [ -n "$text" ] || continue
    "$1" explain "$text; engine=reference" || exit 1
    echo
done <"$2/cases.txt"
