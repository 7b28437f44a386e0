#!/bin/sh
# Creates the production folder: built code and production dependencies. The Dockerfile runs it, and CI runs it in a clean
# copy of the sources. It prunes node_modules of the folder it runs in, and removes the workspaces from its package.json.
#
# usage: npm ci && sh scripts/image.sh <target folder>
set -eu
cd "$(dirname "$0")/.."
target=${1:?usage: npm ci && sh scripts/image.sh <target folder>}

# npm ci has built it; a failed build does not fail an install.
[ -e dist/built ] || npm run build
# The explorer is a part of the build. As a workspace, the client would keep its own dependencies.
npm pkg delete workspaces
# The Prisma CLI is an optional peer dependency: without --omit=optional it would stay.
npm prune --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

# A download counter that swagger-ui-dist depends on and never loads.
rm -rf node_modules/@scarf

mkdir -p "$target"
cp -R dist node_modules package.json openapi.json llms.txt LICENSE "$target"
mkdir -p "$target/prisma"
cp -R prisma/migrations "$target/prisma"

cd "$target"
# Query compilers of other databases, and files for editors.
find node_modules/@prisma/client/runtime -type f \
  \( -name '*cockroachdb*' -o -name '*mysql*' -o -name '*sqlite*' -o -name '*sqlserver*' \) -delete
find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' \) \
  ! -iname 'licen[sc]e*' ! -iname 'notice*' -delete
# Of the caches, keep only the empty database that the first start copies.
rm -rf node_modules/.bin node_modules/.*vite*
find node_modules/.cache -mindepth 1 -maxdepth 1 ! -name sluice -exec rm -rf {} +
