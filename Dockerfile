# One image for every role: servers, workers, the migration job.
ARG NODE_IMAGE=node:24-bookworm-slim

# What the programs load; all other packages are built into them. While package.json names development packages, npm
# installs those that another one would take, if it is there.
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm pkg delete devDependencies \
 && npm install --no-save --omit=dev --loglevel=error

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm install --no-save --include=dev --loglevel=error
COPY . .
RUN node scripts/build.mjs

FROM ${NODE_IMAGE}
WORKDIR /app
# MALLOC_ARENA_MAX and the flags of CMD: see scripts/lib/node-flags.mjs.
ENV NODE_ENV=production DATA_DIR=/data PORT=3000 MALLOC_ARENA_MAX=2
# Volumes begin with the owner of these folders.
RUN mkdir /data /backups && chown node:node /data /backups
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json ./
# Read by the migration job, and by restores.
COPY prisma/schema.prisma ./prisma/
COPY prisma/migrations ./prisma/migrations
COPY prisma/sql ./prisma/sql
# Read for PDFs and cards.
COPY server/ordering/picklist/fonts ./server/ordering/picklist/fonts
# Read by the seed job.
COPY demo/pictures ./demo/pictures
USER node
VOLUME /data
EXPOSE 3000
CMD ["node", "--enable-source-maps", "--max-semi-space-size=4", "--heap-growing-percent=20", "dist/server/server.js"]
