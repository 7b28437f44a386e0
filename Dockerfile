# The gateway and, with another command, the recorder. scripts/image.sh does the work.
FROM node:24-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund && sh scripts/image.sh /app

FROM node:24-slim
# In a small container also set NODE_OPTIONS=--max-old-space-size (docs/runbook.md, "Heap limits").
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 DATA_DIR=/data
COPY --from=build /app /app
RUN mkdir /data && chown node:node /data
WORKDIR /app
USER node
EXPOSE 4000
VOLUME /data
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "dist/healthcheck.js"]
CMD ["node", "dist/main.js"]
