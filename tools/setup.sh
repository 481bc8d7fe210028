# Sourced by the commands of tools/: installs what is missing (Debian packages, those of $more_packages too, a virtual
# environment) and leaves $python in it. A second run finds everything in place. Without root it says what to install, and stops.
# With PYTHON set to another interpreter than the usual one all this is done for that, in folders of its own ($venv, $build).

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

base=${PYTHON:-python3}
version=${PYTHON:+$("$PYTHON" -c 'import sys; print("-py%d%d" % sys.version_info[:2])')}
venv=.venv$version build=build/cpp$version wheels=build/wheel$version
python=$root/$venv/bin/python
if [ ! -x "$python" ]; then
  "$base" -c 'import venv, ensurepip' 2>/dev/null || base=/usr/bin/python3
  "$base" -m venv "$venv"
fi
if ! "$python" -c 'import scikit_build_core, pybind11, numpy, pytest, tqdm, matplotlib, ruff, mypy, scipy_openblas32, xdist, PIL, simplejpeg, cryptography' 2>/dev/null; then
  "$python" -m pip install -q scikit-build-core pybind11 numpy pillow simplejpeg pytest tqdm matplotlib ruff mypy scipy-openblas32 pytest-xdist cryptography
fi

# Builds in $build a wheel (in $wheels), and installs it into the environment, if a source is newer than the last
# time, or other files are there. With `tests` as its argument it builds the test programs too.
build_and_install() {
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
    --config-settings=build-dir="$build" --config-settings=cmake.define.EMBERJIT_TESTS=$tests .
  "$python" -m pip install -q --no-deps --force-reinstall "$wheels"/*.whl
  printf '%s\n' "$tests" "$files" >"$stamp"
}
