# im-admin with the packages for PostgreSQL and MongoDB: docker build -t im-admin .
FROM node:22-bookworm-slim AS build
WORKDIR /source
COPY . .
RUN npm ci --ignore-scripts && npm pack --pack-destination /

FROM node:22-bookworm-slim
COPY --from=build /im-admin-*.tgz /tmp/
RUN npm install --global /tmp/im-admin-*.tgz pg mongodb && rm -r /tmp/im-admin-*.tgz ~/.npm \
  && install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
ENV IM_ADMIN_DB=/data/im.db IM_ADMIN_HOST=0.0.0.0
EXPOSE 10002
ENTRYPOINT ["im-admin"]
CMD ["serve"]
