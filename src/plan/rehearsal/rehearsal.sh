#!/bin/sh
# Rehearses an etcd upgrade on this host: restores a backup snapshot into a throw-away cluster on loopback, rolls it
# through the same releases with the same flags, checks after each member, tries the way back, and removes all of it.
# It never talks to the real cluster. Made by the etcd Upgrade Planner.
#
# Use: sh etcd-rehearsal.sh SNAPSHOT [FOLDER]
#   SNAPSHOT  what `etcdctl snapshot save` wrote
#   FOLDER    where the releases are unpacked (etcd-v<version>-linux-…); default: the home directory
# Environment:
#   PORT      first of the ports it listens on, two a member; default 23790
#   TMPDIR    where it works; it needs the size of the backup snapshot a member, twice; default /tmp
#   ETCDCTL_USER, ETCDCTL_PASSWORD   a user who may write, when the data have authentication on
#
# What it can't show: content of the v2 store (no backup snapshot holds it; `check v2store` does), certificates, the
# load of production, the speed of its disks.
set -eu

#PLAN#

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

say() { printf '%s\n' "$*"; }

case ${1:-} in
  '') fail "use: sh $0 SNAPSHOT [FOLDER]" ;;
  /*) snapshot=$1 ;;
  *) snapshot=$(pwd)/$1 ;;
esac
[ -r "$snapshot" ] || fail "$snapshot can not be read"
releases=${2:-$HOME}
port=${PORT:-23790}
# Settings of a real member or of a real client must not reach these.
for variable in $(env | sed -n 's/^\(ETCD_[A-Za-z0-9_]*\)=.*/\1/p; s/^\(ETCDCTL_[A-Za-z0-9_]*\)=.*/\1/p'); do
  case $variable in
    ETCDCTL_USER | ETCDCTL_PASSWORD) ;;
    *) unset "$variable" ;;
  esac
done
export ETCDCTL_API=3

# The folder of a release.
bin() {
  for folder in "$releases"/etcd-v"$1"-*; do
    if [ -x "$folder/etcd" ] && [ -x "$folder/etcdctl" ]; then
      printf '%s\n' "$folder"
      return
    fi
  done
  fail "etcd $1 is not in $releases: unpack its release there, so that $releases/etcd-v$1-linux-amd64/etcd is a file"
}
for version in $from $route; do
  bin "$version" > /dev/null
done
if command -v curl > /dev/null; then
  fetch() { curl -s -m 5 "$1"; }
elif command -v wget > /dev/null; then
  fetch() { wget -q -T 5 -O - "$1"; }
else
  fail "neither curl nor wget is here: one of them is needed"
fi

dir=$(mktemp -d "${TMPDIR:-/tmp}/etcd-rehearsal.XXXXXX")

# Whatever happens: every process that was started here ends, and what it wrote goes away.
cleanup() {
  code=$?
  trap - EXIT INT TERM
  for member in $members; do
    stop "$member" || true
  done
  if [ "$code" -ne 0 ]; then
    for member in $members; do
      [ -f "$dir/$member.log" ] || continue
      say "--- the last lines of $member's log" >&2
      tail -n 15 "$dir/$member.log" >&2
    done
  fi
  rm -rf "$dir"
  exit "$code"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

number() {
  n=0
  for one in $members; do
    [ "$one" = "$1" ] && break
    n=$((n + 1))
  done
  printf '%s\n' "$n"
}
client() { printf 'http://127.0.0.1:%s\n' "$((port + 2 * $(number "$1")))"; }
peer() { printf 'http://127.0.0.1:%s\n' "$((port + 2 * $(number "$1") + 1))"; }
all_clients=$(for m in $members; do client "$m"; done | paste -s -d , -)
all_peers=$(for m in $members; do printf '%s=%s\n' "$m" "$(peer "$m")"; done | paste -s -d , -)

# etcdctl of the release that every member can talk to: the older one while they are mixed.
tools=$from
ctl() { "$(bin "$tools")/etcdctl" --dial-timeout=2s --command-timeout=5s "$@"; }

# Runs a member on a release; one more flag may follow.
start() {
  with_flags "$1" "$2" "${3:-}" exec "$(bin "$2")/etcd" --name "$1" --data-dir "$dir/$1" \
    --listen-client-urls "$(client "$1")" --advertise-client-urls "$(client "$1")" \
    --listen-peer-urls "$(peer "$1")" --initial-advertise-peer-urls "$(peer "$1")" \
    --initial-cluster "$all_peers" --initial-cluster-token rehearsal --initial-cluster-state existing \
    >> "$dir/$1.log" 2>&1 < /dev/null &
  echo $! > "$dir/$1.pid"
}

stop() {
  [ -f "$dir/$1.pid" ] || return 0
  pid=$(cat "$dir/$1.pid")
  rm -f "$dir/$1.pid"
  kill "$pid" 2> /dev/null || return 0
  wait "$pid" 2> /dev/null || true
}

# Waits until a command works.
until_it_works() {
  what=$1
  shift
  tries=0
  until "$@" > "$dir/said" 2>&1; do
    tries=$((tries + 1))
    for m in $members; do
      if [ -f "$dir/$m.pid" ] && ! kill -0 "$(cat "$dir/$m.pid")" 2> /dev/null; then
        fail "$m has ended while this was waited for: $what"
      fi
    done
    [ "$tries" -lt 90 ] || fail "$what: not within 90 tries. Last: $(tail -n 3 "$dir/said")"
    sleep 1
  done
}

healthy() { ctl --endpoints="$all_clients" endpoint health; }

# Does a member run a release, and does it have what was written last?
serves() { fetch "$(client "$1")/version" | grep -q "\"etcdserver\":\"$2\"" && ctl --endpoints="$(client "$1")" get "$key" | grep -qx "$value"; }

key=etcd-upgrade-planner/rehearsal
value=none
# All are healthy, take a write, and each has it.
check() {
  until_it_works "every member is healthy" healthy
  value="$1-$2"
  until_it_works "a write" ctl --endpoints="$all_clients" put "$key" "$value"
  until_it_works "$1 runs $2 and has what was written" serves "$1" "$2"
}

name_of_leader() {
  for m in $members; do
    if ctl --endpoints="$(client "$m")" endpoint status -w fields | awk '/"MemberID"/ { me = $3 } /"Leader"/ { leader = $3 } END { exit !(me == leader) }'; then
      printf '%s\n' "$m"
      return
    fi
  done
  fail "no member leads"
}

give_leadership_to() {
  to=$(ctl --endpoints="$all_clients" member list | awk -F ', ' -v name="$1" '$3 == name { print $1 }')
  ctl --endpoints="$(client "$leader")" move-leader "$to" > "$dir/said" 2>&1 || fail "move-leader: $(cat "$dir/said")"
}

move() {
  stop "$1"
  start "$1" "$2"
  check "$1" "$2"
}

newest_snapshot() {
  newest=none
  for file in "$dir/$1/member/snap/"*.snap; do
    newest=$file
  done
  printf '%s\n' "$newest"
}

# Makes a member write a disk snapshot: the next minor can't read what an older one left in the WAL before it.
disk_snapshot() {
  before=$(newest_snapshot "$1")
  stop "$1"
  start "$1" "$2" "$snapshot_soon"
  until_it_works "every member is healthy" healthy
  tries=0
  while [ "$(newest_snapshot "$1")" = "$before" ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 30 ] || fail "$1 writes no disk snapshot with $snapshot_soon"
    ctl --endpoints="$(client "$1")" put "$key" "$tries" > /dev/null
    sleep 1
  done
  move "$1" "$2"
}

# Has the cluster version risen, as this member sees it?
raised() { fetch "$(client "$1")/version" | grep -q "\"etcdcluster\":\"$2\."; }

minor() { printf '%s\n' "${1%.*}"; }

say "Restoring $snapshot for $(number none) members with etcd $from"
tool=$(bin "$from")/etcdutl
[ -x "$tool" ] || tool=$(bin "$from")/etcdctl
for member in $members; do
  "$tool" snapshot restore "$snapshot" --name "$member" --data-dir "$dir/$member" --initial-cluster "$all_peers" \
    --initial-cluster-token rehearsal --initial-advertise-peer-urls "$(peer "$member")" > "$dir/$member.log" 2>&1 ||
    fail "the backup snapshot does not restore"
  start "$member" "$from"
done
for member in $members; do
  check "$member" "$from"
done
say "ok    restored, every member is healthy on $from"

old=$from
for new in $route; do
  say "From $old to $new"
  hop=no
  [ "$(minor "$old")" = "$(minor "$new")" ] || hop=yes
  case " $disk_snapshot_before " in
    *" $new "*)
      for member in $members; do
        disk_snapshot "$member" "$old"
      done
      say "ok    a disk snapshot on every member before $new"
      ;;
  esac
  leader=$(name_of_leader)
  first=yes
  for member in $(for m in $members; do [ "$m" = "$leader" ] || printf '%s\n' "$m"; done); do
    move "$member" "$new"
    say "ok    $member runs $new"
    if [ "$first" = yes ]; then
      move "$member" "$old"
      say "ok    the way back: $member runs $old again on the same data"
      move "$member" "$new"
      say "ok    $member runs $new"
      give_leadership_to "$member"
      say "ok    the leadership has moved from $leader to $member"
      first=no
    fi
  done
  [ "$first" = no ] || say "one member: its start on the new minor shuts the way back by a swap at once"
  tools=$new
  move "$leader" "$new"
  say "ok    $leader runs $new, the last"
  if [ "$hop" = yes ]; then
    for member in $members; do
      until_it_works "$member shows the cluster version $(minor "$new")" raised "$member" "$(minor "$new")"
    done
    say "ok    the cluster version is $(minor "$new") on every member"
    case " $goes_back_from " in
      *" $new "*)
        until_it_works "the formal downgrade is taken" ctl --endpoints="$all_clients" downgrade validate "$(minor "$old")"
        say "ok    a formal downgrade to $(minor "$old") would be taken"
        ;;
    esac
  fi
  old=$new
done
say "The rehearsal passed: $from, then $route"
