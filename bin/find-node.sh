# Sets NODE to a Node of version 26 or newer; expects root to be the package's folder. Sourced, not run.
NODE=$(command -v node || true)
# Asking for the version does not start the engine, so that this takes a few milliseconds only.
version=$([ -z "$NODE" ] || "$NODE" --version)
version=${version#v}
if [ "${version%%.*}" -ge 26 ] 2>/dev/null; then :; else
  NODE="$root/runtime/node_modules/.bin/node"
  if [ ! -x "$NODE" ]; then
    echo "this machine's Node is older than 26: installing Node 26 into $root/runtime ..." >&2
    (cd "$root/runtime" && npm ci --no-fund --no-audit >&2) || {
      echo "wheelhouse: could not install Node 26; install Node 26 or newer yourself and start again" >&2; exit 1; }
  fi
fi
