#!/usr/bin/env bash
# Makes the .deb and the image of Coppice, each with a Java runtime of its own. Needs neither root nor a registry.
#
#   docker/package/make.sh --jdk FOLDER --jar FILE --version VERSION --into FOLDER [--deb-only] [--without-cache]
#
# Both are reproducible but for the cache of classes (docs/decisions/0034), which holds what one start has loaded:
# --without-cache leaves it out, and the first seconds of a start take longer.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=1 image=1
while [ $# -gt 0 ]; do
  case $1 in
    --jdk) jdk=$2; shift 2 ;;
    --jar) jar=$2; shift 2 ;;
    --version) version=$2; shift 2 ;;
    --into) into=$2; shift 2 ;;
    --deb-only) image=; shift ;;
    --without-cache) cache=; shift ;;
    *) sed -n '2,/^set /{/^#/p}' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
  esac
done
say() { printf 'package: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

command -v dpkg-deb >/dev/null || die "needs dpkg-deb (Debian's package dpkg)"
"$jdk/bin/jar" tf "$jar" | grep -qx BOOT-INF/classes/ui/index.html ||
  die "the provider was built without its web UI: install Node.js 20.19 or newer, and run ./coppice build"
# The time of the release, as the jars have it.
released=$(sed -n 's:.*<project.build.outputTimestamp>\(.*\)</.*:\1:p' "$here/../../pom.xml")
SOURCE_DATE_EPOCH=$(date -d "$released" +%s)
export SOURCE_DATE_EPOCH
# What Java needs: Spring, CXF and JAXB use most of java.se; Netty, the engine and doctor what is not part of it; the
# rehearsal of the client a server.
modules=java.se,jdk.crypto.ec,jdk.httpserver,jdk.jcmd,jdk.management,jdk.naming.dns,jdk.net,jdk.unsupported,jdk.zipfs

umask 022
mkdir -p "$into"
into=$(cd "$into" && pwd)
work=$into/work
rm -rf "$work"
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT

# --- the tree that both have -----------------------------------------------------------------------

root=$work/root
lib=$root/usr/lib/coppice
make_tree() {
  mkdir -p "$lib/settings" "$root/usr/bin" "$root/etc/coppice"
  "$jdk/bin/jlink" --add-modules "$modules" --no-header-files --no-man-pages --output "$lib/runtime" >&2
  "$lib/runtime/bin/java" -Djarmode=tools -jar "$jar" extract --destination "$work/app" >/dev/null
  mv "$work/app" "$lib/app"
  mv "$lib/app/$(basename "$jar")" "$lib/app/coppice.jar"
  install -D -m 644 -t "$lib/client" "$(dirname "$jar")"/cli/*.jar
  install -m 755 "$here/coppice" "$lib/coppice"
  ln -s ../lib/coppice/coppice "$root/usr/bin/coppice"
  install -m 644 "$here/defaults.yaml" "$lib/settings/application.yaml"
  install -m 640 "$here/application.yaml" "$root/etc/coppice/application.yaml"
  mkdir -p "$root/usr/share/bash-completion/completions"
  "$lib/runtime/bin/java" -cp "$lib/client/*" io.coppice.cli.Coppice completion bash \
    >"$root/usr/share/bash-completion/completions/coppice"
  # The cache is for files of exactly this age.
  find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
}

# A cache holds the paths of its files, so it is made where they will lie: in a file system that only this process sees.
train() {
  local over=$work/over
  mkdir -p "$over/upper/coppice" "$over/work" "$over/train"
  # shellcheck disable=SC2016 # expanded by the inner shell
  unshare --map-root-user --mount sh -euc '
    mount -t overlay coppice -o "lowerdir=/usr/lib,upperdir=$1/upper,workdir=$1/work" /usr/lib
    mount --bind "$2" /usr/lib/coppice
    exec env -i PATH="$PATH" HOME=/ /usr/lib/coppice/runtime/bin/java --enable-native-access=ALL-UNNAMED \
      -XX:+UseCompactObjectHeaders -Xlog:aot=off -Xlog:cds=off -XX:AOTCacheOutput=/usr/lib/coppice/coppice.aot \
      -jar /usr/lib/coppice/app/coppice.jar train "$1/train"' sh "$over" "$lib" >"$into/train.log" 2>&1 || true
  # shellcheck disable=SC2016 # expanded by the inner shell
  unshare --map-root-user --mount sh -euc '
    mount -t overlay coppice -o "lowerdir=/usr/lib,upperdir=$1/upper,workdir=$1/work" /usr/lib
    mount --bind "$2" /usr/lib/coppice
    key() {
      /usr/lib/coppice/runtime/bin/keytool -genkeypair -alias "$2" -dname "CN=$2" -keyalg RSA -validity 2 \
        -keystore "$1/keys.p12" -storetype PKCS12 -storepass rehearsal "$3" "$4" ${5:+"$5" "$6"}
    }
    key "$1/train" root -ext bc:c
    key "$1/train" server -signer root -ext san=ip:127.0.0.1
    export COPPICE_CLIENT_CACHE=-XX:AOTCacheOutput=/usr/lib/coppice/client.aot
    exec /usr/lib/coppice/coppice rehearse "$1/train"' sh "$over" "$lib" >"$into/rehearsal.log" 2>&1 || true
  rm -rf "$over"
  for cache in coppice client; do
    if [ -f "$lib/$cache.aot" ]; then
      chmod 644 "$lib/$cache.aot"
      touch -d "@$SOURCE_DATE_EPOCH" "$lib/$cache.aot" "$lib"
    else
      say "there is no cache of classes for $cache: starts take longer (see train.log and rehearsal.log in $into)"
    fi
  done
}

# --- the .deb --------------------------------------------------------------------------------------

make_deb() {
  local deb=$work/deb doc=$work/deb/usr/share/doc/coppice file
  cp -a "$root" "$deb"
  mkdir -p "$deb/DEBIAN" "$deb/usr/lib/systemd/system" "$doc"
  install -m 644 "$here/coppice.service" "$deb/usr/lib/systemd/system/coppice.service"
  install -m 644 "$here/debian/copyright" "$doc/copyright"
  for file in operations settings rest metrics CHANGELOG; do
    install -m 644 "$here/../../docs/$file.md" "$doc/$file.md"
  done
  install -D -m 644 -t "$doc/monitoring" "$here"/../../config/monitoring/*.yaml
  install -D -m 644 -t "$doc/monitoring/dashboards" "$here"/../../config/monitoring/dashboards/*.json
  install -m 755 "$here"/debian/{postinst,prerm,postrm} "$deb/DEBIAN"
  install -m 644 "$here/debian/conffiles" "$deb/DEBIAN/conffiles"
  sed -e "s/@VERSION@/$version/" -e "s/@SIZE@/$(du -sk --apparent-size "$deb/usr" | cut -f 1)/" "$here/debian/control" \
    >"$deb/DEBIAN/control"
  (cd "$deb" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
  find "$deb" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
  dpkg-deb --root-owner-group -Zzstd -z 3 --build "$deb" "$into/coppice_${version}_amd64.deb" >&2
  rm -rf "$deb"
}

# --- the image -------------------------------------------------------------------------------------

# A program of this machine with the libraries that it needs, under the names by which the loader looks for them.
add_program() { # folder, programs...
  local folder=$1 program library
  shift
  for program; do
    if [[ $program == /* ]]; then
      install -D -m 755 "$program" "$folder/usr$(sed 's:^/usr::' <<<"$program")"
    else
      program=$lib/runtime/$program
    fi
    ldd "$program" | grep -oE '/[^ ]+' | while read -r library; do
      case $library in
        "$lib"/*) ;;
        *) [ -e "$folder/usr${library#/usr}" ] || install -D -m 755 "$library" "$folder/usr${library#/usr}" ;;
      esac
    done
  done
}

blob() { # file: becomes a blob, says its digest and size
  local digest size
  digest=$(sha256sum "$1" | cut -d ' ' -f 1)
  size=$(stat -c %s "$1")
  mv "$1" "$work/image/blobs/sha256/$digest"
  echo "$digest $size"
}

# An archive that `docker load` and OCI's tools read alike: one layer, made from this machine's C library and the tree.
make_image() {
  local files=$work/files layer config manifest created
  created=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
  cp -a "$root" "$files"
  mkdir -p "$files"/{tmp,proc,sys,dev,run} "$files/var/lib/coppice" "$files"/usr/{lib,lib64} "$work/image/blobs/sha256"
  ln -s usr/bin "$files/bin"
  ln -s usr/lib "$files/lib"
  ln -s usr/lib64 "$files/lib64"
  add_program "$files" /bin/sh /bin/cat /bin/ls /usr/bin/id bin/java lib/libjli.so lib/server/libjvm.so lib/libnio.so \
    lib/libnet.so lib/libextnet.so lib/libmanagement.so lib/libmanagement_ext.so
  printf 'root:x:0:0:root:/:/bin/sh\ncoppice:x:10001:10001::/var/lib/coppice:/bin/sh\n' >"$files/etc/passwd"
  printf 'root:x:0:\ncoppice:x:10001:\n' >"$files/etc/group"
  printf 'hosts: files dns\n' >"$files/etc/nsswitch.conf"
  chmod 1777 "$files/tmp"
  chmod 700 "$files/var/lib/coppice"
  chmod 644 "$files/etc/coppice/application.yaml"
  find "$files" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
  tar -C "$files" --sort=name --numeric-owner --owner=0 --group=0 --exclude=./var/lib/coppice -cf "$work/layer.tar" .
  tar -C "$files" --numeric-owner --owner=10001 --group=10001 -rf "$work/layer.tar" ./var/lib/coppice
  rm -rf "$files"
  layer=$(blob "$work/layer.tar")
  cat >"$work/config.json" <<END
{"architecture": "amd64", "os": "linux", "created": "$created",
 "config": {
  "User": "10001:10001",
  "Env": ["PATH=/usr/bin", "COPPICE_JAVA_OPTIONS=-XX:MaxRAMPercentage=50"],
  "WorkingDir": "/var/lib/coppice",
  "Volumes": {"/var/lib/coppice": {}},
  "ExposedPorts": {"3260/tcp": {}, "8443/tcp": {}, "9443/tcp": {}, "9444/tcp": {}},
  "Healthcheck": {"Test": ["CMD", "/usr/bin/coppice", "health"], "Interval": 30000000000, "Timeout": 20000000000,
   "StartPeriod": 180000000000, "Retries": 3},
  "Entrypoint": ["/usr/bin/coppice", "up"],
  "Labels": {"org.opencontainers.image.title": "coppice", "org.opencontainers.image.version": "$version",
   "org.opencontainers.image.licenses": "Apache-2.0"}},
 "rootfs": {"type": "layers", "diff_ids": ["sha256:${layer% *}"]},
 "history": [{"created": "$created", "created_by": "docker/package/make.sh"}]}
END
  config=$(blob "$work/config.json")
  cat >"$work/manifest.json" <<END
{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
 "config": {"mediaType": "application/vnd.oci.image.config.v1+json", "digest": "sha256:${config% *}", "size": ${config#* }},
 "layers": [{"mediaType": "application/vnd.oci.image.layer.v1.tar", "digest": "sha256:${layer% *}", "size": ${layer#* }}]}
END
  manifest=$(blob "$work/manifest.json")
  cat >"$work/image/index.json" <<END
{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json",
 "manifests": [{"mediaType": "application/vnd.oci.image.manifest.v1+json", "digest": "sha256:${manifest% *}",
  "size": ${manifest#* }, "annotations": {"org.opencontainers.image.ref.name": "$version"}}]}
END
  echo '{"imageLayoutVersion": "1.0.0"}' >"$work/image/oci-layout"
  cat >"$work/image/manifest.json" <<END
[{"Config": "blobs/sha256/${config% *}", "RepoTags": ["coppice:$version"], "Layers": ["blobs/sha256/${layer% *}"]}]
END
  find "$work/image" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
  tar -C "$work/image" --sort=name --numeric-owner --owner=0 --group=0 -cf "$into/coppice-$version-image.tar" .
  rm -rf "$work/image"
}

make_tree
[ -z "$cache" ] || train
make_deb
[ -z "$image" ] || make_image
say "made $(cd "$into" && ls -d "coppice_${version}_amd64.deb" ${image:+"coppice-$version-image.tar"} | paste -sd ' ') in $into"
