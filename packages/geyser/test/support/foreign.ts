import { fileURLToPath } from 'node:url';
import * as grpc from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

/** The protocol, written down a second time and spoken by an implementation that is not ours. */
const definition = loadSync(fileURLToPath(new URL('./geyser.proto', import.meta.url)), {
  longs: String,
  enums: Number,
  defaults: true,
  oneofs: true,
});
const loaded = grpc.loadPackageDefinition(definition);

export const ForeignClient = (loaded.geyser as grpc.GrpcObject).Geyser as grpc.ServiceClientConstructor;
/** Serializers of the messages of each method. */
export const foreignMethod = (name: string): grpc.MethodDefinition<object, object> => {
  const method = ForeignClient.service[name];
  if (method === undefined) throw new Error(`no method ${name}`);
  return method;
};
export const foreignClient = (url: string): grpc.Client =>
  new ForeignClient(new URL(url).host, grpc.credentials.createInsecure());

/** A stream in both directions; proto-loader has no types for messages. */
export type ForeignStream = grpc.ClientDuplexStream<object, Record<string, unknown>>;
export function foreignSubscribe(client: grpc.Client, metadata = new grpc.Metadata()): ForeignStream {
  const { path, requestSerialize, responseDeserialize } = foreignMethod('Subscribe');
  return client.makeBidiStreamRequest(
    path,
    requestSerialize,
    (bytes) => responseDeserialize(bytes) as Record<string, unknown>,
    metadata,
  );
}

/** Calls a method with one answer. */
export function foreignCall(client: grpc.Client, name: string, request: object): Promise<unknown> {
  const { path, requestSerialize, responseDeserialize } = foreignMethod(name);
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, (error, answer) => {
      if (error === null) resolve(answer);
      else reject(error);
    });
  });
}

/** Starts a server; returns its URL. */
export async function foreignServer(
  handlers: grpc.UntypedServiceImplementation,
): Promise<{ url: string; stop: () => void }> {
  const server = new grpc.Server();
  server.addService(ForeignClient.service, handlers);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound);
      else reject(error);
    });
  });
  return { url: `http://127.0.0.1:${port}`, stop: () => server.forceShutdown() };
}
export { grpc };
