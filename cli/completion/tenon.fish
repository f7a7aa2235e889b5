# fish completion for tenon. To try it: tenon completion fish | source

complete -c tenon -f
complete -c tenon -s h -l help -d 'Explain the command'
complete -c tenon -s V -l version -d 'Print the version'

set -l commands run check doctor completion help version
complete -c tenon -n "not __fish_seen_subcommand_from $commands" -a run -d 'Run a program'
complete -c tenon -n "not __fish_seen_subcommand_from $commands" -a check -d 'Check programs'
complete -c tenon -n "not __fish_seen_subcommand_from $commands" -a doctor -d 'Say what is missing'
complete -c tenon -n "not __fish_seen_subcommand_from $commands" -a completion -d 'Print a script'
complete -c tenon -n "not __fish_seen_subcommand_from $commands" -a help -d 'Explain a command'
complete -c tenon -n "not __fish_seen_subcommand_from $commands" -a version -d 'Print the version'

set -l run '__fish_seen_subcommand_from run'
complete -c tenon -n "$run" -F
complete -c tenon -n "$run" -x -s e -l eval -d 'Run this text instead of a file'
complete -c tenon -n "$run" -x -l input -d 'Names for the program: an object, @FILE or -'
complete -c tenon -n "$run" -l no-check -d 'Run without checking types first'
complete -c tenon -n "$run" -x -l checker -a 'auto tsc none' -d 'Who checks types'
complete -c tenon -n "$run" -r -F -l declare -d 'Declarations to check against'
complete -c tenon -n "$run" -x -l expect -d 'The type of the value'
complete -c tenon -n "$run" -x -l export -d 'What the program must export'
complete -c tenon -n "$run" -x -l input-type -d 'The type of the input'
complete -c tenon -n "$run" -r -F -l policy -d 'What the program may call'
complete -c tenon -n "$run" -x -l allow -d 'Functions to allow'
complete -c tenon -n "$run" -x -l deny -d 'Functions to deny'
complete -c tenon -n "$run" -x -l ask -d 'Functions to ask about'
complete -c tenon -n "$run" -l json -d 'Print exactly one JSON object'
complete -c tenon -n "$run" -l agent -d 'Print the outcome as text for a model'
complete -c tenon -n "$run" -l no-agent -d 'Print for a person even under an agent'
complete -c tenon -n "$run" -x -l tokens -a '500 2000 8000' -d 'Token budget of --agent'
complete -c tenon -n "$run" -s q -l quiet -d 'Print the value only'
complete -c tenon -n "$run" -x -l color -a 'auto always never' -d 'When to colour'
complete -c tenon -n "$run" -x -l wall -a '1s 5s 30s 2m' -d 'Whole run, waiting included'
complete -c tenon -n "$run" -x -l cpu -a '500ms 1s 10s' -d 'Time the program computes'
complete -c tenon -n "$run" -x -l memory -a '16M 64M 256M' -d 'What the program allocates'
complete -c tenon -n "$run" -x -l calls -a '10 100 1000' -d 'Host calls in all'
complete -c tenon -n "$run" -x -l output -a '64K 256K 1M' -d 'Console kept, head and tail'
complete -c tenon -n "$run" -x -l result -a '64K 1M 8M' -d 'The value, written out'
complete -c tenon -n "$run" -x -l source -a '256K 1M' -d 'Program text'
complete -c tenon -n "$run" -x -l now -d 'Where the clock starts'
complete -c tenon -n "$run" -x -l zone -d 'Time zone' \
    -a "(awk '\$1 == \"Z\" { print \$2 } \$1 == \"L\" { print \$3 }' /usr/share/zoneinfo/tzdata.zi 2>/dev/null)"
complete -c tenon -n "$run" -x -l locale -a 'en-US' -d 'Language'
complete -c tenon -n "$run" -x -l seed -d 'Make Math.random and crypto repeatable'
complete -c tenon -n "$run" -x -l bounds -a 'guard checked' -d 'How stray accesses are caught'

set -l check '__fish_seen_subcommand_from check'
complete -c tenon -n "$check" -F
complete -c tenon -n "$check" -x -s e -l eval -d 'Check this text instead of a file'
complete -c tenon -n "$check" -x -l input -d 'Names for the program: an object, @FILE or -'
complete -c tenon -n "$check" -x -l checker -a 'auto tsc none' -d 'Who checks types'
complete -c tenon -n "$check" -r -F -l declare -d 'Declarations to check against'
complete -c tenon -n "$check" -x -l expect -d 'The type of the value'
complete -c tenon -n "$check" -x -l export -d 'What the program must export'
complete -c tenon -n "$check" -x -l input-type -d 'The type of the input'
complete -c tenon -n "$check" -r -F -l policy -d 'What the program may call'
complete -c tenon -n "$check" -x -l allow -d 'Functions to allow'
complete -c tenon -n "$check" -x -l deny -d 'Functions to deny'
complete -c tenon -n "$check" -x -l ask -d 'Functions to ask about'
complete -c tenon -n "$check" -l json -d 'Print exactly one JSON object'
complete -c tenon -n "$check" -l lsp -d 'Print a JSON line for each file, for editors'
complete -c tenon -n "$check" -l agent -d 'Print for a model'
complete -c tenon -n "$check" -l no-agent -d 'Print for a person even under an agent'
complete -c tenon -n "$check" -x -l color -a 'auto always never' -d 'When to colour'

set -l doctor '__fish_seen_subcommand_from doctor'
complete -c tenon -n "$doctor" -l json -d 'Print exactly one JSON object'
complete -c tenon -n "$doctor" -x -l color -a 'auto always never' -d 'When to colour'

complete -c tenon -n '__fish_seen_subcommand_from completion' -a 'bash zsh fish'
complete -c tenon -n '__fish_seen_subcommand_from help' -a "$commands"
