# shellcheck shell=bash disable=SC2154
# The compiler's messages in terms of what the student wrote: compiler's words in, student's out.
#
# A message is its first line (path:line:column: error: ...) and what follows up to the next: the line it quotes,
# the marks under that. Left out are notes about the insides of the simulator's headers and of the system's. What is said of
# both sides of a CUDA file is said once.
messages_as_written() {
    head -c 500000 | cut -b -2000 | awk '
        /^In file included from / {
            if (!/<built-in>/)
                included = included $0 "\n"
            next
        }
        /^[^ ].*:[0-9]+:[0-9]+: (error|warning|note|fatal error): / {
            split($0, part, ":")
            path = part[1]
            number = part[2]
            note = $0 ~ /:[0-9]+: note: /
            within = note && path ~ /^(\/usr\/|checker\/simulator\/include\/)/
            if (!note)
                shown = !within && !seen[$0]++
            keep = shown && !within && !/note: in instantiation of .*sim::|note: \(skipping/
            if (keep)
                printf "%s%s\n", included, $0
            included = ""
            next
        }
        /^[0-9]+ (error|warning)s?( and [0-9]+ errors?)? generated( when compiling for .*)?\.$/ { next }
        !keep && path != "" { next }
        { print }' | head -n "$LIMIT_MESSAGES"
}
