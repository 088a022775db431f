#include <fmt/format.h>

#include <functional>
#include <map>
#include <stdexcept>

#include "manual/description.hpp"

namespace weft::cli {

namespace {

/// The verbs behind the command's own name: `` of `weft`, `wisdom show` of `weft wisdom show`.
std::string path_of(const CommandText& command) {
    const std::size_t blank = command.name.find(' ');
    return blank == std::string::npos ? "" : command.name.substr(blank + 1);
}

std::string last_word(const std::string& name) { return name.substr(name.rfind(' ') + 1); }

/// The command and all verbs, each before its own.
void for_each(const CommandText& command, const std::function<void(const CommandText&)>& visit) {
    visit(command);
    for (const CommandText& verb : command.verbs) for_each(verb, visit);
}

/// In single quotes of a shell.
std::string in_quotes(const std::string& text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

/// `'a' | 'b'` of the paths of all verbs: the pattern of a case.
std::string patterns(const CommandText& command) {
    std::string result;
    for_each(command, [&](const CommandText& verb) {
        if (!path_of(verb).empty()) {
            result += (result.empty() ? "" : " | ") + in_quotes(path_of(verb));
        }
    });
    return result;
}

/// Finds the verbs that are typed before the word that is completed, in `verb`.
std::string find_verb(const CommandText& command, const std::string& words) {
    return fmt::format(
        "    local word verb=''\n"
        "    for word in {}; do\n"
        "        case \"${{verb:+$verb }}$word\" in\n"
        "            {}) verb=\"${{verb:+$verb }}$word\" ;;\n"
        "        esac\n"
        "    done\n",
        words, patterns(command));
}

/// Options of a verb that must have a value.
std::string valued(const CommandText& verb) {
    std::string result;
    for (const OptionText& option : verb.options) {
        if (option.positional || option.takes.empty() || option.takes.starts_with('[')) continue;
        for (const std::string& name : option.names) result += (result.empty() ? "" : " ") + name;
    }
    return result;
}

/// `--via`, and what it may be, of all options that have such a list.
std::map<std::string, std::string> values_by_option(const CommandText& command) {
    std::map<std::string, std::string> result;
    for_each(command, [&](const CommandText& verb) {
        for (const OptionText& option : verb.options) {
            if (option.values.empty() || option.positional) continue;
            result[option.names.back()] = fmt::format("{}", fmt::join(option.values, " "));
        }
    });
    return result;
}

// Values of options, also as `--via=..` and behind a comma, and in a quoted problem as `via=..`. A single one is
// quoted for the shell, and no blank follows a parenthesis.
constexpr const char* bash_values =
    R"(    local cur=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} quoted='' before='' values=''
    if [[ $cur == = ]]; then
        cur=''
    elif [[ $option == = ]]; then
        option=${COMP_WORDS[COMP_CWORD-2]}
    fi
    if [[ $cur == [\"\']* ]]; then
        quoted=1 cur=${cur:1}
        if [[ $cur =~ ^(.*[[:space:]])?([a-z_]+)=([^[:space:]=]*)$ ]]; then
            option=--${BASH_REMATCH[2]//_/-} valued=$option
            before=${BASH_REMATCH[1]}${BASH_REMATCH[2]}= cur=${BASH_REMATCH[3]}
        fi
    fi
    if [[ " $valued " == *" $option "* ]]; then
        _weft_values "$option"
        [[ -n $values ]] || return
        if [[ $cur == *,* && $cur != *\(* ]]; then
            before+=${cur%,*}, cur=${cur##*,}
        fi
        local value
        COMPREPLY=()
        for value in $values; do
            [[ $value != "$cur"* ]] || COMPREPLY+=("$before$value")
        done
        [[ $option != --machine ]] || COMPREPLY+=($(compgen -f -X '!*.json' -- "$cur"))
        if (( ${#COMPREPLY[@]} == 1 )); then
            [[ $COMPREPLY != *\( ]] || compopt -o nospace 2>/dev/null
            [[ -n $quoted ]] || printf -v COMPREPLY %q "$COMPREPLY"
        fi
        return
    fi
)";

std::string bash(const CommandText& command) {
    std::string cases;
    for_each(command, [&](const CommandText& verb) {
        std::string words;
        for (const CommandText& next : verb.verbs) words += " " + last_word(next.name);
        for (const OptionText& option : verb.options) {
            if (option.positional) continue;
            for (const std::string& name : option.names) words += " " + name;
        }
        cases += fmt::format("        {}) words={} valued={} ;;\n", in_quotes(path_of(verb)),
                             in_quotes(words.empty() ? words : words.substr(1)),
                             in_quotes(valued(verb)));
    });
    std::string values;
    for (const auto& [option, list] : values_by_option(command)) {
        values += fmt::format("        {}) values={} ;;\n", option, in_quotes(list));
    }
    return fmt::format(
        "# bash completion of weft; made by `weft manual --completion bash`.\n"
        "_weft_values() {{\n"
        "    case $1 in\n{}    esac\n"
        "}}\n"
        "_weft() {{\n"
        "{}"
        "    local words='' valued=''\n"
        "    case $verb in\n{}    esac\n"
        "{}"
        "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
        "}}\n"
        "complete -o default -F _weft weft\n",
        values, find_verb(command, "\"${COMP_WORDS[@]:1:COMP_CWORD-1}\""), cases, bash_values);
}

/// One of zsh's `name:meaning`, whose name has no colon of its own.
std::string described(const std::string& name, const std::string& meaning) {
    return " " + in_quotes(name + ":" + meaning);
}

std::string zsh(const CommandText& command) {
    std::string cases;
    for_each(command, [&](const CommandText& verb) {
        std::string verbs;
        std::string options;
        for (const CommandText& next : verb.verbs) {
            verbs += described(last_word(next.name), next.summary);
        }
        for (const OptionText& option : verb.options) {
            if (option.positional) continue;
            for (const std::string& name : option.names) {
                options += described(name, option.meaning);
            }
        }
        cases += fmt::format("        {}) verbs=({}) options=({}) valued={} ;;\n",
                             in_quotes(path_of(verb)), verbs, options, in_quotes(valued(verb)));
    });
    std::string values;
    for (const auto& [option, list] : values_by_option(command)) {
        values += fmt::format("            {}) values={} ;;\n", option, in_quotes(list));
    }
    return fmt::format(
        "#compdef weft\n"
        "# zsh completion of weft; made by `weft manual --completion zsh`.\n"
        "_weft() {{\n"
        "{}"
        "    local valued values=''\n"
        "    local -a verbs options\n"
        "    case $verb in\n{}    esac\n"
        "    if [[ \" $valued \" == *\" ${{words[CURRENT-1]}} \"* ]]; then\n"
        "        case ${{words[CURRENT-1]}} in\n{}        esac\n"
        "        [[ -z $values ]] || compadd -- ${{=values}}\n"
        "        [[ -n $values && ${{words[CURRENT-1]}} != --machine ]] || _files\n"
        "        return\n"
        "    fi\n"
        "    if [[ ${{words[CURRENT]}} == -* ]]; then\n"
        "        _describe -o option options\n"
        "    else\n"
        "        (( ! $#verbs )) || _describe verb verbs\n"
        "        _files\n"
        "    fi\n"
        "}}\n"
        "_weft \"$@\"\n",
        find_verb(command, "${words[2,CURRENT-1]}"), cases, values);
}

std::string fish(const CommandText& command) {
    std::string lines =
        "# fish completion of weft; made by `weft manual --completion fish`.\n"
        "function __weft_verb\n"
        "    set -l verb ''\n"
        "    for word in (commandline -opc)[2..]\n"
        "        set -l next (string trim -- \"$verb $word\")\n"
        "        switch $next\n"
        "            case";
    for_each(command, [&](const CommandText& verb) {
        if (!path_of(verb).empty()) lines += " " + in_quotes(path_of(verb));
    });
    lines +=
        "\n                set verb $next\n"
        "        end\n"
        "    end\n"
        "    test \"$verb\" = \"$argv[1]\"\n"
        "end\n";
    for_each(command, [&](const CommandText& verb) {
        const std::string where = fmt::format("complete -c weft -n {}",
                                              in_quotes("__weft_verb " + in_quotes(path_of(verb))));
        for (const CommandText& next : verb.verbs) {
            lines += fmt::format("{} -f -a {} -d {}\n", where, last_word(next.name),
                                 in_quotes(next.summary));
        }
        for (const OptionText& option : verb.options) {
            if (option.positional) continue;
            std::string names;
            for (const std::string& name : option.names) {
                names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
            }
            std::string list = fmt::format("{}", fmt::join(option.values, " "));
            for (std::size_t at = 0; (at = list.find('(', at)) != std::string::npos; at += 2) {
                list.insert(at, "\\");
            }
            const bool files = list.empty() || option.names.back() == "--machine";
            lines += fmt::format("{}{}{}{} -d {}\n", where, names,
                                 option.takes.empty() ? "" : (files ? " -r" : " -x"),
                                 list.empty() ? "" : " -a " + in_quotes(list),
                                 in_quotes(option.meaning));
        }
    });
    return lines;
}

}  // namespace

std::string completion(const CommandText& command, const std::string& shell) {
    if (shell == "bash") return bash(command);
    if (shell == "zsh") return zsh(command);
    if (shell == "fish") return fish(command);
    throw std::invalid_argument(shell);
}

}  // namespace weft::cli
