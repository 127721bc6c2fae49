# Sets NODE to a Node that is not older than $oldest (26, or 22.15, which the bundle is made for); expects root to be the package's
# folder. Takes the newest at hand and installs one only where there is none. Sourced, not run.
NODE=$(command -v node || true)
# Asking for the version does not start the engine, so that this takes a few milliseconds only.
version=$([ -z "$NODE" ] || "$NODE" --version)
version=${version#v}
major=${version%%.*}
minor=${version#*.}
minor=${minor%%.*}
if [ "$major" -ge 26 ] 2>/dev/null; then :
elif [ -x "$root/runtime/node_modules/.bin/node" ]; then NODE="$root/runtime/node_modules/.bin/node"
elif [ "$oldest" = 22.15 ] && { [ "$major" -gt 22 ] || { [ "$major" -eq 22 ] && [ "$minor" -ge 15 ]; }; } 2>/dev/null; then :
else
  echo "this machine's Node ${version:-(none)} is older than $oldest: installing Node 26 into $root/runtime ..." >&2
  (cd "$root/runtime" && npm ci --no-fund --no-audit --loglevel=error >&2) || {
    echo "wheelhouse: could not install Node 26; install Node $oldest or newer yourself and start again" >&2; exit 1; }
  NODE="$root/runtime/node_modules/.bin/node"
fi
