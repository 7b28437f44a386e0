#!/bin/sh
# Makes the folder that runs in production: built code and production dependencies, nothing else. The Dockerfile runs it,
# and CI runs it in a clean copy of the sources, so that both are the same. It changes node_modules of where it runs.
#
# usage: scripts/image.sh <folder to make>
set -eu
cd "$(dirname "$0")/.."
target=${1:?usage: scripts/image.sh <folder to make>}

npm ci --no-audit --no-fund --prefer-offline
npm run build
# What is left is what the built code imports. The CLI of Prisma counts as optional and is not among it.
npm prune --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

mkdir -p "$target"
cp -R dist node_modules package.json openapi.json LICENSE "$target"
mkdir -p "$target/prisma"
cp -R prisma/migrations "$target/prisma"

cd "$target"
# Compilers for other databases, and what only people and editors read.
find node_modules/@prisma/client/runtime -type f \
  \( -name '*cockroachdb*' -o -name '*mysql*' -o -name '*sqlite*' -o -name '*sqlserver*' \) -delete
find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' \) \
  ! -iname 'licen[sc]e*' ! -iname 'notice*' -delete
# Of the caches only the empty database that first starts are made from.
rm -rf node_modules/.bin
find node_modules/.cache -mindepth 1 -maxdepth 1 ! -name sluice -exec rm -rf {} +
