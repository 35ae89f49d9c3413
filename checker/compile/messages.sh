# shellcheck shell=bash disable=SC2154
# The compiler's messages in terms of what the student wrote: compiler's words in, student's out.
#
# A message is its first line (path:line:column: error: ...) and what follows up to the next: the line it quotes,
# the marks under that. Left out are messages about the insides of a launch and notes about the C++ library's own
# headers. Where a quoted line was rewritten by the translator, the line as written takes its place, without the
# marks, which would point elsewhere.
messages_as_written() {
    awk '
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
            within = path ~ /^checker\/simulator\/include\/sim\/launch\.h$/ || (note && path ~ /^\/usr\//)
            if (!note)
                shown = !within && !seen[$0]++
            keep = shown && !within && !/note: in instantiation of .*sim::|note: \(skipping/
            written = 0
            if (keep)
                printf "%s%s\n", included, $0
            included = ""
            next
        }
        /^[0-9]+ (error|warning)s?( and [0-9]+ errors?)? generated\.$/ { next }
        !keep && path != "" { next }
        written && /^[ ~^]*[\^~][ ~^]*$/ { next }
        / sim::launch\(|^ *sim::configuration\(|\[=\]\(auto\.\.\. sim_arguments\)/ {
            written = 1
            for (at = 1; at <= number && (getline line < path) > 0; at++)
                continue
            close(path)
            print line
            next
        }
        { print }'
}
