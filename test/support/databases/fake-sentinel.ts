import { type AddressInfo, createServer, type Socket } from 'node:net';

const COMMAND = /\r\n(MASTER|GET-MASTER-ADDR-BY-NAME)\r\n/g;

const bulk = (text: string) => `$${text.length}\r\n${text}\r\n`;
const list = (texts: readonly string[]) => `*${texts.length}\r\n${texts.map(bulk).join('')}`;

interface NamedMaster {
  readonly port: number;
  readonly epoch: number;
}

/** A sentinel that names the master that the test chooses. */
export async function fakeSentinel(first: NamedMaster) {
  let master = first;
  const sockets = new Set<Socket>();
  const replyTo = (command: string) =>
    command === 'MASTER'
      ? list(['name', 'sluice', 'config-epoch', String(master.epoch)])
      : list(['127.0.0.1', String(master.port)]);
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      for (const [, command = ''] of data.toString().matchAll(COMMAND)) socket.write(replyTo(command));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    name(next: NamedMaster) {
      master = next;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
