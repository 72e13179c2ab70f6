#!/bin/sh
# Gathers what the etcd Upgrade Planner reads, and changes nothing: `usage` below says how.
# It prints etcd's own flags and ETCD_* variables only; values whose name holds PASSWORD, TOKEN or SECRET are masked.
# Each output stands below a marker line that says whose it is and which command printed it.
set -u
LC_ALL=C
export LC_ALL
umask 077

usage() {
  cat <<'USAGE'
usage: sh etcd-collect.sh [--ssh "HOST HOST ..." | --kubectl NAMESPACE] [option ...]

Without --ssh and --kubectl: run it as root on the host of a member. It shows that member and asks all members what
can be asked over the network. Paste what it prints into the planner.

  --ssh "m1 m2 m3"      do so on each of these hosts, over ssh (root, or sudo without a password)
  --kubectl NAMESPACE   ask the etcd pods of a namespace
  --endpoints LIST      client URLs, where the host's own etcd does not say them
  --cacert, --cert, --key FILE   for these URLs; default: the server's own files
  --etcdctl, --etcdutl FILE      the tools, where they are not on the PATH
  --pid "N N ..."       only these processes of this host; default: every etcd server
  --member-only         leave out what is asked over the network
USAGE
}

proc=${ETCD_COLLECT_PROC:-/proc}
manifests=${ETCD_COLLECT_MANIFESTS:-/etc/kubernetes/manifests}
host=$(uname -n)
member='' enter='' root='' settings='' ssh_hosts='' namespace='' member_only=''
endpoints=${ETCDCTL_ENDPOINTS:-} cacert=${ETCDCTL_CACERT:-} cert=${ETCDCTL_CERT:-} key=${ETCDCTL_KEY:-}
etcdctl='' etcdutl='' pids=''
# etcdctl refuses what is given both ways.
unset ETCDCTL_ENDPOINTS ETCDCTL_CACERT ETCDCTL_CERT ETCDCTL_KEY ETCDCTL_WRITE_OUT

warn() { printf 'etcd-collect: %s\n' "$*" >&2; }

while [ $# -gt 0 ]; do
  case $1 in
    --member-only) member_only=yes ;;
    -h | --help) usage; exit 0 ;;
    --*=*) name=${1%%=*} value=${1#*=}; shift; set -- '' "$name" "$value" "$@" ;;
    --ssh | --kubectl | --endpoints | --cacert | --cert | --key | --etcdctl | --etcdutl | --pid)
      [ $# -gt 1 ] || { warn "$1 takes a value"; usage >&2; exit 4; }
      case $1 in
        --ssh) ssh_hosts=$2 ;;
        --kubectl) namespace=$2 ;;
        --endpoints) endpoints=$2 ;;
        --cacert) cacert=$2 ;;
        --cert) cert=$2 ;;
        --key) key=$2 ;;
        --etcdctl) etcdctl=$2 ;;
        --etcdutl) etcdutl=$2 ;;
        --pid) pids=$2 ;;
      esac
      shift
      ;;
    *) warn "no such option: $1"; usage >&2; exit 4 ;;
  esac
  shift
done

has() { command -v "$1" >/dev/null 2>&1; }
limit=''
if has timeout; then limit='timeout 120'; fi

# --- Printing ---------------------------------------------------------------------------------------------------------

# The marker before an output: whose it is, and the command as a person would type it.
marker() {
  printf '##etcd-collect%s host=%s command=%s##\n' "${member:+ member=$member}" "$host" "$1"
}

# Prints the marker of the command in $1, then runs the rest and prints what it says, errors included.
show() {
  marker "$1"
  shift
  # shellcheck disable=SC2086 # none, or two words
  shown=$($limit "$@" 2>&1 </dev/null)
  [ -z "$shown" ] || printf '%s\n' "$shown"
}

# Masks secrets in lines of files: NAME=value, name: value, --name value, and passwords in URLs.
mask() {
  awk '
    function secret(text) { return toupper(text) ~ /PASSWORD|TOKEN|SECRET/ }
    {
      line = $0
      gsub(/:\/\/[^\/@ "]*@/, "://***@", line)
      # A pod says the name of a variable in one line and its value in the next.
      if (named && line ~ /^[ \t-]*value:/) sub(/value:.*/, "value: \"***\"", line)
      named = (line ~ /^[ \t-]*name:/ && secret(line))
      if (match(line, /^[ \t]*(export[ \t]+)?[A-Za-z0-9_.-]+[ \t]*[=:]/) && secret(substr(line, 1, RLENGTH)) &&
          !named) {
        print substr(line, 1, RLENGTH) (line ~ /:/ && line !~ /=/ ? " " : "") "\"***\""
        next
      }
      out = ""
      while (match(toupper(line), /(-|_|[A-Z0-9])*(PASSWORD|TOKEN|SECRET)[A-Z0-9_-]*(="?\047?|[ \t]+"?\047?)/)) {
        before = substr(line, 1, RSTART + RLENGTH - 1)
        rest = substr(line, RSTART + RLENGTH)
        quote = substr(before, length(before), 1)
        if (quote != "\"" && quote != "\047") quote = ""
        flag = (before ~ /=["\047]?$/ || substr(line, RSTART, 1) == "-")
        if (flag && quote != "" && index(rest, quote)) rest = substr(rest, index(rest, quote))
        else if (flag) sub(/^[^ \t"\047]+/, "", rest)
        out = out before (flag ? "***" : "")
        line = rest
      }
      print out line
    }'
}

# Like show, for the text of files.
show_file() {
  marker "cat $1"
  mask <"$2"
}

# --- Settings ---------------------------------------------------------------------------------------------------------

# One argument a line -> name=value
of_arguments() {
  awk '
    /^--?[A-Za-z]/ {
      if (name != "") print name "=true"
      word = $0
      sub(/^--?/, "", word)
      if (index(word, "=")) { print word; name = "" } else name = word
      next
    }
    name != "" { print name "=" $0; name = "" }
    END { if (name != "") print name "=true" }'
}

# ETCD_X=value -> x=value
of_environment() {
  awk '/^ETCD_[A-Z0-9_]+=/ {
    at = index($0, "=")
    name = tolower(substr($0, 6, at - 6))
    gsub(/_/, "-", name)
    value = substr($0, at + 1)
    gsub(/^["\047]|["\047]$/, "", value)
    print name "=" value
  }'
}

# key: value of a config file -> key=value; of the nested ones only the client side of TLS
of_config_file() {
  awk '
    /^[A-Za-z]/ { section = $0; sub(/:.*/, "", section) }
    /^ / && section != "client-transport-security" { next }
    match($0, /^[ \t]*[A-Za-z0-9-]+:/) {
      name = substr($0, 1, RLENGTH - 1); value = substr($0, RLENGTH + 1)
      gsub(/[ \t]/, "", name); sub(/[ \t]+#.*/, "", value)
      gsub(/^[ \t"\047]+|[ \t"\047]+$/, "", value)
      if (value != "") print name "=" value
    }'
}

setting() { printf '%s\n' "$settings" | sed -n "s/^$1=//p" | head -n 1; }

# The first of these settings that is set.
first_setting() {
  for one in "$@"; do
    value=$(setting "$one")
    [ -z "$value" ] || { printf '%s\n' "$value"; return; }
  done
}

# One URL of a list: a local one before others; where it listens on all addresses, the local one of them.
local_url() {
  printf '%s\n' "$1" | tr ',' '\n' | sed -e 's#://0\.0\.0\.0#://127.0.0.1#' -e 's#://\[::\]#://[::1]#' |
    awk '/:\/\/(127\.|localhost|\[::1\])/ && !found { found = $0 } NR == 1 { first = $0 }
      END { print found == "" ? first : found }'
}

# --- Tools ------------------------------------------------------------------------------------------------------------

# The path of a tool: the one given, on the PATH, beside the server's binary, or in its container.
tool() {
  [ -z "$2" ] || { printf '%s\n' "$2"; return; }
  if [ -z "$root" ] && has "$1"; then command -v "$1"; return; fi
  beside=''
  if [ -n "${pid:-}" ]; then beside=$(readlink "$proc/$pid/exe" 2>/dev/null); fi
  for folder in "${beside%/*}" /usr/local/bin /usr/bin /bin /opt/bin /opt/etcd /opt/bitnami/etcd/bin; do
    if [ -n "$folder" ] && [ -x "$root$folder/$1" ]; then printf '%s\n' "$folder/$1"; return; fi
  done
  if has "$1"; then command -v "$1"; fi
}

# Runs etcdctl where it reaches the member, with endpoints and certificates; $ctl_words are the words before its own.
ctl() {
  set -- "$@" --command-timeout=10s --dial-timeout=5s
  if [ -n "$key" ]; then set -- "--key=$key" "$@"; fi
  if [ -n "$cert" ]; then set -- "--cert=$cert" "$@"; fi
  if [ -n "$cacert" ]; then set -- "--cacert=$cacert" "$@"; fi
  if [ -n "$endpoints" ]; then set -- "--endpoints=$endpoints" "$@"; fi
  # shellcheck disable=SC2086 # several words
  if [ "$show_it" ]; then show "${ctl_shown}etcdctl $*" $ctl_words "$@"; else $limit $ctl_words "$@" 2>&1 </dev/null; fi
}

# The member list, one row a line.
# shellcheck disable=SC2086 # none, or one word
member_rows() { ctl member list $consistency | awk -F ', ' '$2 == "started" || $2 == "unstarted"'; }

# What can be asked over the network, of all members.
cluster() {
  show_it='' consistency=''
  members=$(member_rows)
  if [ -z "$members" ] && [ -n "$others" ]; then
    # The member at hand does not answer, and its settings say where the others are.
    at_hand=$endpoints endpoints=$others
    members=$(member_rows)
    [ -n "$members" ] || endpoints=$at_hand
  fi
  if [ -z "$members" ]; then
    # Without a quorum a member still lists what it knows itself, where etcdctl can ask for that.
    consistency=--consistency=s
    members=$(member_rows)
    [ -n "$members" ] || consistency=''
  fi
  if [ -z "$members" ]; then
    # Nobody lists them: each is asked where it should be, so that those that are down show.
    endpoints=$(printf '%s\n' "$endpoints,$others" | tr ',' '\n' | awk '$0 != "" && !seen[$0]++' | paste -s -d , -)
  fi
  urls=$(printf '%s\n' "$members" | awk -F ', ' '$2 == "started" { split($5, url, ","); print url[1] }')
  if [ -n "$urls" ]; then endpoints=$(printf '%s\n' "$urls" | paste -s -d , -); fi
  count=$(printf '%s\n' "$members" | wc -l)
  show_it=yes
  # shellcheck disable=SC2086 # none, or one word
  ctl member list $consistency -w json
  ctl endpoint status -w json
  minors=$(printf '%s\n' "$shown" | tr ',{}' '[\n*]' | sed -n 's/^"version":"\([0-9]*\.[0-9]*\).*/\1/p')
  ctl endpoint health
  ctl alarm list
  ctl endpoint hashkv -w json
  # A member of an older minor may die of this call: only where every member answered and all run one minor.
  if [ -n "$minors" ] && [ "$(printf '%s\n' "$minors" | wc -l)" -eq "$count" ] &&
    [ "$(printf '%s\n' "$minors" | sort -u | wc -l)" -eq 1 ]; then
    show_it=''
    case $(ctl auth --help) in
      *[[:space:]]status[[:space:]]*) show_it=yes; ctl auth status ;;
    esac
    show_it=yes
  fi
  # shellcheck disable=SC2086 # several words
  show "${ctl_shown}etcdctl version" $ctl_words version
}

# --- A member on this host --------------------------------------------------------------------------------------------

# The data directory as this script reaches it.
reached() {
  case $1 in
    /*) printf '%s\n' "$root$1" ;;
    *) printf '%s\n' "$proc/$pid/cwd/$1" ;;
  esac
}

disk_snapshots() {
  folder=$(reached "$1")/member/snap
  if [ ! -r "$folder" ]; then
    warn "$folder can't be read: run this as root"
    return
  fi
  style=''
  for style in --time-style=full-iso --full-time ''; do
    # shellcheck disable=SC2086 # none, or one word
    if ls -l $style "$folder" >/dev/null 2>&1; then break; fi
  done
  marker "ls -l${style:+ $style} $1/member/snap"
  # shellcheck disable=SC2086 # none, or one word
  ls -l $style "$folder"
}

# The check reads a copy of the WAL and the disk snapshots: on the data of a running etcd it would clear files away.
check_v2store() {
  utl=$(tool etcdutl "$etcdutl")
  if [ -z "$utl" ]; then return; fi
  if [ -z "$etcdutl" ] && [ -n "$root" ] && [ -x "$root$utl" ]; then utl=$root$utl; fi
  show 'etcdutl version' "$utl" version
  # The tool of another minor has no such check.
  $utl check v2store --help 2>&1 | grep -q -e "--data-dir" || return
  from=$(reached "$1")/member
  wal=$from/wal
  if [ -n "$2" ]; then wal=$(reached "$2"); fi
  if [ ! -r "$wal" ] || [ ! -r "$from/snap" ]; then return; fi
  copy=$(mktemp -d "${TMPDIR:-/var/tmp}/etcd-collect.XXXXXX") || return
  need=$(du -sk "$wal" | awk '{ print $1 }')
  free=$(df -Pk "$copy" | awk 'NR == 2 { print $4 }')
  if [ "$need" -gt $((free / 2)) ]; then
    warn "the v2 store was not checked: ${copy%/*} has no room for a copy of $wal"
  else
    mkdir -p "$copy/member/snap" "$copy/member/wal"
    # Disk snapshots first: the WAL may run on, it must not lack what they name.
    for file in "$from"/snap/*.snap; do [ ! -f "$file" ] || cp "$file" "$copy/member/snap/"; done
    for file in "$wal"/*.wal; do [ ! -f "$file" ] || cp "$file" "$copy/member/wal/"; done
    marker "etcdutl check v2store --data-dir=$1"
    # shellcheck disable=SC2086 # none, or two words
    $limit "$utl" check v2store "--data-dir=$copy" 2>&1 | sed "s#$copy#$1#g"
  fi
  rm -rf "$copy"
  copy=''
}
copy=''
trap '[ -z "$copy" ] || rm -rf "$copy"' EXIT
trap 'exit 130' HUP INT TERM

# Files of systemd: the unit with its drop-ins, and the environment files it names.
unit() {
  text=$(systemctl cat "$1" 2>/dev/null)
  [ -n "$text" ] || return
  marker "systemctl cat $1"
  printf '%s\n' "$text" | mask
  for file in $(printf '%s\n' "$text" | sed -n 's/^EnvironmentFile=-\{0,1\}//p'); do
    if [ -r "$file" ]; then
      marker "cat $file"
      grep -E '^[[:space:]]*(export[[:space:]]+)?(ETCD_|[A-Z_]*(ARGS|OPTS|OPTIONS|FLAGS)=)' "$file" | mask
    fi
  done
}

# The manifest of a static pod that runs etcd.
manifest() {
  for file in "$manifests"/*.yaml "$manifests"/*.yml; do
    if [ -r "$file" ] && grep -q -e '--data-dir' "$file" && grep -q 'image:.*etcd' "$file"; then
      show_file "$file" "$file"
      settings=$settings$(printf '\n'; sed -n 's/^ *- \(--.*\)/\1/p' "$file" | of_arguments)
    fi
  done
}

# Tells the settings of one process, and prints them.
process() {
  pid=$1
  settings='' member=''
  if [ ! -r "$proc/$pid/cmdline" ]; then
    warn "there is no process $pid"
    return 1
  fi
  root='' enter=''
  if [ "$(readlink "$proc/$pid/ns/mnt" 2>/dev/null)" != "$(readlink "$proc/self/ns/mnt" 2>/dev/null)" ]; then
    root=$proc/$pid/root
    if has nsenter; then enter="nsenter -t $pid -m -n"; fi
  fi
  arguments=$(tr '\000' '\n' <"$proc/$pid/cmdline" | sed 1d)
  settings=$(printf '%s\n' "$arguments" | of_arguments)
  file=$(setting config-file)
  file_at=''
  if [ -n "$file" ]; then file_at=$(reached "$file"); fi
  if [ -n "$file" ] && [ -r "$file_at" ]; then settings=$settings$(printf '\n'; of_config_file <"$file_at"); fi
  environment=''
  readable=''
  if [ -r "$proc/$pid/environ" ] && environment=$(tr '\000' '\n' <"$proc/$pid/environ" 2>/dev/null); then
    readable=yes
    environment=$(printf '%s\n' "$environment" | grep '^ETCD_')
    settings=$settings$(printf '\n'; printf '%s\n' "$environment" | of_environment)
  fi
  member=$(first_setting name | tr -c '[:graph:]\n' '_')

  marker "cat $proc/$pid/cmdline $proc/$pid/environ"
  tr '\000' '\n' <"$proc/$pid/cmdline" | awk '
    function quoted(word, parts, count, i, text) {
      if (word ~ /^[A-Za-z0-9_@%+=:,.\/*-]+$/) return word
      count = split(word, parts, "\047")
      text = "\047" parts[1]
      for (i = 2; i <= count; i++) text = text "\047\\\047\047" parts[i]
      return text "\047"
    }
    function secret(text) { return toupper(text) ~ /PASSWORD|TOKEN|SECRET/ }
    {
      word = $0
      gsub(/:\/\/[^\/@ "]*@/, "://***@", word)
      if (hide && word !~ /^-/) word = "***"
      hide = 0
      if (word ~ /^-/) {
        at = index(word, "=")
        if (at && secret(substr(word, 1, at))) word = substr(word, 1, at) "***"
        if (!at && secret(word)) hide = 1
      }
      line = line (NR > 1 ? " " : "") quoted(word)
    }
    END { print line }'
  if [ "$readable" ]; then
    [ -z "$environment" ] || printf '%s\n' "$environment" | mask
    printf '# end of the environment of process %s\n' "$pid"
  else
    warn "the environment of process $pid can't be read: run this as root"
  fi
  if [ -n "$file" ] && [ -r "$file_at" ]; then show_file "$file" "$file_at"; fi
  service=$(sed -n 's#.*/\([^/]*\.service\)$#\1#p' "$proc/$pid/cgroup" 2>/dev/null | head -n 1)
  if [ -n "$service" ] && has systemctl; then unit "$service"; fi
  if [ -n "$root" ]; then manifest; fi
  # shellcheck disable=SC2086 # none, or two words
  version=$($limit "$proc/$pid/exe" --version 2>/dev/null </dev/null)
  case $version in
    'etcd Version:'*) marker 'etcd --version'; printf '%s\n' "$version" ;;
  esac
  data
  return 0
}

# What the data directory of the member at hand shows.
data() {
  dir=$(setting data-dir)
  if [ -z "$dir" ]; then dir=$(first_setting name).etcd; fi
  if [ "$dir" = .etcd ]; then dir=default.etcd; fi
  disk_snapshots "$dir"
  check_v2store "$dir" "$(setting wal-dir)"
}

# Where the other members of --initial-cluster serve clients, if they do as this one does.
other_members() {
  own=$(first_setting advertise-client-urls listen-client-urls)
  own=${own%%,*}
  first_setting initial-cluster | tr ',' '\n' | sed -n 's#^[^=]*=[a-z]*://##p' | sed 's#:[0-9]*/*$##' |
    sed "s#.*#${own%%:*}://&:${own##*:}#" | paste -s -d , -
}

# Where etcdctl reaches the member at hand.
access() {
  show_it=''
  ctl_words=$(tool etcdctl "$etcdctl")
  ctl_shown=''
  if [ -z "$ctl_words" ]; then return 1; fi
  if [ -z "$etcdctl" ] && [ -n "$root" ] && [ -x "$root$ctl_words" ]; then
    if [ -n "$enter" ]; then ctl_words="$enter $ctl_words"; else ctl_words=$root$ctl_words; fi
  fi
  if [ -z "$endpoints" ]; then
    endpoints=$(local_url "$(first_setting listen-client-urls advertise-client-urls)")
  fi
  case $endpoints in
    *https://*)
      [ -n "$cacert" ] || cacert=$(first_setting trusted-ca-file peer-trusted-ca-file)
      [ -n "$cert" ] || cert=$(first_setting cert-file)
      [ -n "$key" ] || key=$(first_setting key-file)
      ;;
  esac
  others=$(other_members)
  # Before 3.4 etcdctl speaks v2 unless it is told.
  case $(ctl version) in
    *'etcdctl version:'*) ;;
    *) ETCDCTL_API=3; export ETCDCTL_API ;;
  esac
}

# Remembers that etcdctl can ask at the member at hand.
remember() {
  asked=$1
  asked_words=$ctl_words asked_shown=$ctl_shown asked_others=$others
  asked_endpoints=$endpoints asked_cacert=$cacert asked_cert=$cert asked_key=$key
}

# Asks the cluster at the member remembered.
ask_cluster() {
  member=''
  ctl_words=$asked_words ctl_shown=$asked_shown others=$asked_others
  endpoints=$asked_endpoints cacert=$asked_cacert cert=$asked_cert key=$asked_key
  cluster
}

# Forgets how the member at hand is reached, but not what was given.
given_endpoints=$endpoints given_cacert=$cacert given_cert=$cert given_key=$key
forget() { endpoints=$given_endpoints cacert=$given_cacert cert=$given_cert key=$given_key; }

# The etcd servers of this host, by process id.
servers() {
  if [ -n "$pids" ]; then
    # shellcheck disable=SC2086 # several words
    printf '%s\n' $pids
    return
  fi
  for folder in "$proc"/[0-9]*; do
    name=''
    read -r name <"$folder/comm" || continue
    [ "$name" = etcd ] || continue
    case $(tr '\000' '\n' <"$folder/cmdline" | sed -n 2p) in
      grpc-proxy | gateway) ;;
      *) printf '%s\n' "${folder##*/}" ;;
    esac
  done 2>/dev/null | sort -n
}

# Which etcd the API server of this host uses.
api_server() {
  for folder in "$proc"/[0-9]*; do
    name=''
    read -r name <"$folder/comm" || continue
    [ "$name" = kube-apiserver ] || continue
    member=''
    marker "cat $folder/cmdline"
    printf 'kube-apiserver %s\n' "$(tr '\000' '\n' <"$folder/cmdline" | grep -e '^--etcd-servers' | mask | tr '\n' ' ')"
  done 2>/dev/null
}

this_host() {
  asked='' answered=''
  for one in $(servers); do
    process "$one" || continue
    if [ -n "$member_only" ] || [ -n "$answered" ]; then continue; fi
    # The first member that answers is asked for all; if none does, the first that could be asked.
    forget
    if access; then
      if ctl member list >/dev/null; then
        answered=yes
        remember "$one"
      elif [ -z "$asked" ]; then
        remember "$one"
      fi
    fi
  done
  if [ -z "$(servers)" ]; then
    # The member is down: its files still say how it starts.
    pid=none
    warn 'no etcd server runs on this host'
    if has systemctl; then
      unit etcd.service
      settings=$(printf '%s\n' "${text:-}" | tr ' \t\134' '[\n*]' | of_arguments)$(
        printf '\n'; printf '%s\n' "${text:-}" | sed 's/^Environment=["'\'']\{0,1\}//' | of_environment)
    fi
    manifest
    member=$(first_setting name | tr -c '[:graph:]\n' '_')
    if [ -n "$(setting data-dir)" ]; then data; fi
    if [ -z "$member_only" ] && access; then remember none; fi
  fi
  api_server
  if [ -n "$member_only" ]; then return; fi
  if [ -n "$asked" ]; then ask_cluster; else warn 'etcdctl was not found: give its path with --etcdctl'; fi
}

# --- Several hosts ----------------------------------------------------------------------------------------------------

over_ssh() {
  [ -r "$0" ] || { warn '--ssh needs this script as a file'; exit 4; }
  done_already=$member_only
  for target in $ssh_hosts; do
    remote='sh -s --'
    if [ -n "$done_already" ]; then remote="$remote --member-only"; fi
    # Root reads what others can't; without it the rest is still shown.
    text=$(ssh -o BatchMode=yes -o ConnectTimeout=10 "$target" \
      "if [ \"\$(id -u)\" != 0 ] && sudo -n true 2>/dev/null; then sudo -n $remote; else $remote; fi" <"$0") ||
      warn "$target: ssh failed"
    printf '%s\n' "$text"
    case $text in
      *'endpoint status'*) done_already=yes ;;
    esac
  done
}

over_kubectl() {
  asked=''
  for pod in $(kubectl -n "$namespace" get pods -o name | sed -n 's#^pod/##p' | grep etcd); do
    text=$(kubectl -n "$namespace" get pod "$pod" -o yaml 2>/dev/null)
    case $text in
      *--data-dir* | *ETCD_*) ;;
      *) continue ;;
    esac
    settings=$(printf '%s\n' "$text" | sed -n 's/^ *- \(--.*\)/\1/p' | of_arguments)
    member=$(first_setting name | tr -c '[:graph:]\n' '_')
    [ -n "$member" ] || member=$pod
    host=$pod
    marker "kubectl -n $namespace get pod $pod -o yaml"
    printf '%s\n' "$text" | mask
    folder=$(setting data-dir)/member/snap
    show_text=$(kubectl -n "$namespace" exec "$pod" -- ls -l "$folder" 2>/dev/null) || show_text=''
    if [ -n "$show_text" ]; then
      marker "ls -l $folder"
      printf '%s\n' "$show_text"
    else
      warn "$pod has no ls: run this script on its host for its disk snapshots and its v2 store"
    fi
    if [ -z "$asked" ]; then
      etcdctl="kubectl -n $namespace exec $pod -- etcdctl"
      forget
      if access && ctl member list | grep -q started; then
        ctl_shown="kubectl -n $namespace exec $pod -- "
        remember "$pod"
      fi
    fi
  done
  if [ -z "$asked" ]; then
    warn "no etcd pod of $namespace could be asked"
    return
  fi
  host=$asked
  ask_cluster
}

if [ -n "$ssh_hosts" ]; then
  over_ssh
  exit 0
fi
if [ -n "$namespace" ]; then over_kubectl; else this_host; fi
printf '##etcd-collect end##\n'
