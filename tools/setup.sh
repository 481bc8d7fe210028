# Sourced by the commands of tools/: installs what is missing (Debian packages, those of $more_packages too, a virtual
# environment) and leaves $python in it. A second run finds everything in place. Without root it says what to install, and stops.
# With PYTHON set to an interpreter of another version (3.13, python3.13 or a path) all this is done for that, in an environment
# of its own ($venv); what is built is shared but for its module.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
packages=(g++ cmake ninja-build python3-dev python3-venv libxbyak-dev libmimalloc-dev libffi-dev libzydis-dev
          ${more_packages:-})
missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "Please install these packages first: ${missing[*]}" >&2
    exit 1
  fi
  echo "Installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

versions="3.11 3.12 3.13"

# The executable of a command, a path or a version that can make environments and build extensions, as a path.
python_of() {
  local command
  for command in "$1" "python${1#python}" "/usr/bin/python${1#python}" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"${1#python}".*/bin/python3; do
    "$command" -c '
import ensurepip, sys, sysconfig, venv
open(sysconfig.get_path("include") + "/Python.h").close()
print(sys.executable)' 2>/dev/null && return
  done
}
version_of() { "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])'; }

# The python3 there is, if emberjit knows its version, else the newest of those that it knows.
usual_python() {
  local command path
  for command in python3 /usr/bin/python3 3.13 3.12 3.11; do
    path=$(python_of "$command" | head -n 1)
    if [ -n "$path" ] && [[ " $versions " = *" $(version_of "$path") "* ]]; then
      echo "$path"
      return
    fi
  done
  echo "Please install one of Python $versions, with its headers and venv" >&2
  return 1
}

# One of each version that is here.
pythons() {
  local version
  for version in $versions; do python_of "$version" | head -n 1; done
}

usual=$(usual_python)
base=$usual version=
if [ -n "${PYTHON:-}" ]; then
  base=$(python_of "$PYTHON" | head -n 1)
  [ -n "$base" ] || { echo "$PYTHON is no Python with headers and venv" >&2; exit 1; }
  [ "$(version_of "$base")" = "$(version_of "$usual")" ] || version=-py$(version_of "$base" | tr -d .)
fi
venv=.venv$version build=build/cpp wheels=build/wheel$version
python=$root/$venv/bin/python
[ -x "$python" ] || "$base" -m venv "$venv"
if ! "$python" -c '
import scikit_build_core, pybind11, numpy, pytest, tqdm, matplotlib, ruff, mypy, scipy_openblas32, xdist, PIL, simplejpeg, cryptography
import wheel, hypothesis, nbclient, ipykernel, nbformat, mpi4py' 2>/dev/null; then
  "$python" -m pip install -q scikit-build-core pybind11 numpy pillow simplejpeg pytest tqdm matplotlib ruff mypy scipy-openblas32 \
    pytest-xdist cryptography wheel hypothesis nbclient ipykernel nbformat mpi4py
fi

# Of another version than the usual one: its module, beside which all is shared, in a wheel that is otherwise the usual one.
build_other_and_install() {
  (unset PYTHON; source tools/setup.sh; build_and_install "$@")
  local suffix others unpacked
  suffix=$("$python" -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')
  others=$(sed -n 's/^EMBERJIT_OTHER_PYTHONS:STRING=//p' "$build/CMakeCache.txt")
  [[ ";$others;" = *";$base;"* ]] || cmake -DEMBERJIT_OTHER_PYTHONS="${others:+$others;}$base" "$build" >/dev/null
  ninja -C "$build" "_emberjit$suffix" >/dev/null
  unpacked=$(mktemp -d)
  "$python" -m wheel unpack -d "$unpacked" build/wheel/*.whl >/dev/null
  rm "$unpacked"/*/emberjit/_emberjit.*.so
  cmake --install "$build" --component "$suffix" --strip --prefix "$(echo "$unpacked"/*)" >/dev/null
  sed -i "s/^Tag: .*/Tag: cp${version#-py}-cp${version#-py}-linux_$(uname -m)/" "$unpacked"/*/*.dist-info/WHEEL
  rm -rf "$wheels"
  mkdir -p "$wheels"
  "$python" -m wheel pack -d "$wheels" "$unpacked"/* >/dev/null
  rm -r "$unpacked"
  "$python" -m pip install -q --no-deps --force-reinstall "$wheels"/*.whl
}

# Builds in $build a wheel (in $wheels), and installs it into the environment, if a source is newer than the last
# time, or other files are there. With `tests` as its argument it builds the test programs too.
build_and_install() {
  if [ -n "$version" ]; then
    build_other_and_install "$@"
    return
  fi
  local tests=OFF stamp=$venv/emberjit.stamp files built=()
  local sources=(gc ops bytecode vm tiers python tests tools CMakeLists.txt pyproject.toml README.md LICENSE*)
  [ "${1:-}" != tests ] || tests=ON
  files=$(find "${sources[@]}" -type f -not -name '*.pyc' | sort | cksum)
  if [ -e "$stamp" ] && [ -x "$build/vmtool" ] && compgen -G "$wheels/*.whl" >/dev/null; then
    mapfile -t built <"$stamp"
    if [[ ${built[0]} = ON || $tests = OFF ]] && [ "${built[1]:-}" = "$files" ] &&
      [ -z "$(find "${sources[@]}" -newer "$stamp" -type f -not -name '*.pyc' -print -quit)" ]; then
      return
    fi
  fi
  rm -rf "$wheels"
  "$python" -m pip wheel -q --no-build-isolation --no-deps --wheel-dir "$wheels" \
    --config-settings=build-dir="$build" --config-settings=cmake.define.EMBERJIT_TESTS=$tests \
    --config-settings=cmake.define.EMBERJIT_EMBED=$tests .
  "$python" -m pip install -q --no-deps --force-reinstall "$wheels"/*.whl
  printf '%s\n' "$tests" "$files" >"$stamp"
}
