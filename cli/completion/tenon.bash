# bash completion for tenon. To try it: source <(tenon completion bash)

_tenon() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local command= i options

    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
            run | check | search | describe | types | prompt | mcp | trust | trace | doctor | completion | help | version)
                command=${COMP_WORDS[i]}
                break
                ;;
        esac
    done

    # The value of an option. bash splits --color=auto into three words.
    if [[ $word == = ]]; then
        word=
    elif [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case $before in
        --color) options='auto always never' ;;
        --bounds) options='guard checked' ;;
        --checker) options='auto tsc none' ;;
        --wall) options='1s 5s 30s 2m' ;;
        --cpu) options='500ms 1s 10s' ;;
        --memory) options='16M 64M 256M' ;;
        --output | --result | --source) options='64K 256K 1M 8M' ;;
        --tokens) options='500 2000 8000' ;;
        --calls | --keep) options='10 100 1000' ;;
        --journal) options='normal durable memory' ;;
        --http) options='127.0.0.1:8808 0' ;;
        --token) options='env: file: command:' ;;
        --zone)
            options='UTC'
            if [[ -r /usr/share/zoneinfo/tzdata.zi ]]; then
                options+=" $(awk '$1 == "Z" { print $2 } $1 == "L" { print $3 }' /usr/share/zoneinfo/tzdata.zi)"
            fi
            ;;
        --input)
            if [[ $word == @* ]]; then
                compopt -o filenames 2>/dev/null
                mapfile -t COMPREPLY < <(compgen -P @ -f -- "${word#@}")
            fi
            return
            ;;
        -e | --eval | --now | --locale | --seed | --expect | --export | --input-type | --allow | --allow-fetch | --deny | --ask | --override | --bind | --origin | --credential)
            return
            ;;
        --declare | --mcp | --openapi | --policy | --config | --to | --journal-file)
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
            return
            ;;
    esac
    if [[ -n $options ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
        return
    fi

    case $command in
        '') options='run check search describe types prompt mcp trust trace doctor completion help version --help --version -h -V' ;;
        run)
            if [[ $word == -* ]]; then
                options='-e --eval --input --no-check --checker --declare --mcp --no-mcp --fresh --openapi --credential --expect --export
                    --input-type --policy --allow --allow-fetch --deny --ask --override --bind --json --agent --no-agent --tokens -q --quiet
                    --color --wall --cpu --memory --calls --output --result --source --now --zone
                    --locale --seed --bounds --journal --journal-file --keep -h --help -V --version'
            else
                compopt -o filenames 2>/dev/null
                mapfile -t COMPREPLY < <(compgen -f -- "$word")
                return
            fi
            ;;
        check)
            if [[ $word == -* ]]; then
                options='-e --eval --input --checker --declare --mcp --no-mcp --fresh --openapi --credential --expect --export --input-type
                    --policy --allow --allow-fetch --deny --ask --override --bind --json --lsp --agent --no-agent --color -h --help -V --version'
            else
                compopt -o filenames 2>/dev/null
                mapfile -t COMPREPLY < <(compgen -f -- "$word")
                return
            fi
            ;;
        search | describe) options='--declare --mcp --no-mcp --fresh --openapi --credential --policy --allow --deny --ask --override --bind --json --tokens -h --help -V --version' ;;
        types) options='--declare --mcp --no-mcp --fresh --openapi --credential --json -h --help -V --version' ;;
        prompt) options='--declare --mcp --no-mcp --fresh --openapi --credential --policy --allow --deny --ask --override --bind --tokens -h --help -V --version' ;;
        mcp)
            if [[ " ${COMP_WORDS[*]} " == *' mcp import '* ]]; then
                options='claude-code claude-desktop cursor vscode codex windsurf gemini copilot
                    --to --list --force --references -h --help -V --version'
            else
                options='import --checker --declare --mcp --no-mcp --fresh --openapi --credential --policy --allow --allow-fetch --deny --ask --override --bind --config --http --token --origin --tokens --wall --cpu --memory
                    --calls --output --result --source --bounds --journal --journal-file --keep -h --help -V
                    --version'
            fi
            ;;
        trust)
            if [[ $word == -* ]]; then
                options='--list --revoke -y --yes -h --help -V --version'
            else
                compopt -o filenames 2>/dev/null
                mapfile -t COMPREPLY < <(compgen -f -- "$word")
                return
            fi
            ;;
        trace) options='--json --chrome --list --color --journal-file -h --help -V --version' ;;
        doctor) options='--json --color -h --help -V --version' ;;
        completion) options='bash zsh fish -h --help -V --version' ;;
        help) options='run check search describe types prompt mcp trust trace doctor completion help version' ;;
        version) options='-h --help -V --version' ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
}

complete -F _tenon tenon
