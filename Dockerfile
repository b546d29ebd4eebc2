# Padlink as an image: docs/operating.md#run-it-in-a-container says what it needs. Another BASE, by
# --build-arg, has to have Node.js 20 or newer.
ARG BASE=debian:trixie-slim@sha256:a29215f6a35e51e22adffa17f89e9d2ef06214e64a2bad10d765c46aea49f11f

# The libraries that Node.js needs, and whom to trust over TLS.
FROM ${BASE} AS base
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates libatomic1 libstdc++6 \
  && rm -rf /var/lib/apt/lists/*

FROM base AS build
RUN apt-get update && apt-get install -y --no-install-recommends npm
WORKDIR /build
COPY package.json package-lock.json ./
COPY client/package.json client/
COPY scripts scripts
RUN node scripts/setup.mjs --no-build
COPY . .
RUN npm run package -- /package

FROM base
RUN useradd --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin padlink \
  && install -d -m 700 -o padlink -g padlink /data /backups
# It belongs to root: Padlink cannot change itself.
COPY --from=build /package /srv/padlink
RUN ln -s /srv/padlink/deploy/padlink /usr/local/bin/padlink
# With more, each thread keeps for itself the memory in which it last hashed a password.
ENV DATA_DIR=/data MALLOC_ARENA_MAX=2
VOLUME /data
EXPOSE 3000
USER padlink
WORKDIR /srv/padlink
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node_modules/.bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1))"]
CMD ["node_modules/.bin/node", "server/main.mjs"]
