import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Command } from 'commander';
import { InputError } from '../errors.js';
import { collect, positiveNumber, wholeNumber } from './arguments.js';
import { type SearchFlags, searchOptions, withSearchFlags } from './translate.js';

interface ServeFlags extends SearchFlags {
  readonly model: string[];
  readonly host: string;
  readonly port: number;
  readonly batch: number;
  readonly queue: number;
  readonly seconds: number;
  readonly characters: number;
  readonly texts: number;
}

export function serveCommand(): Command {
  const command = new Command('serve')
    .description('translate over HTTP, as LibreTranslate does: POST /translate, GET /languages, GET /health')
    .requiredOption('--model <folder>', 'a model folder; given several times, an ensemble', collect);
  return withSearchFlags(command)
    .option('--host <address>', 'where to listen; the default is reached from this machine only', '127.0.0.1')
    .option('--port <n>', '0: any that is free', wholeNumber(0, 65535), 5000)
    .option('--batch <n>', 'texts translated side by side', wholeNumber(1), 16)
    .option('--queue <n>', 'texts that may wait; more get 503', wholeNumber(1), 1000)
    .option('--seconds <n>', 'a request is given up after so long', positiveNumber, 30)
    .option('--characters <n>', 'longest text of a request', wholeNumber(1), 5000)
    .option('--texts <n>', 'most texts of a request', wholeNumber(1), 100)
    .action(serve);
}

/** Serves until SIGINT or SIGTERM, then answers what it has taken and ends. */
async function serve({ model, host, port, ...flags }: ServeFlags): Promise<void> {
  const [{ openTranslator }, { translationServer }] = await Promise.all([
    import('../run/model-folder.js'),
    import('../serve/server.js'),
  ]);
  const translator = await openTranslator(model, flags.precision);
  const server = translationServer(translator, { ...flags, search: searchOptions(translator.search, flags) });
  const closed = new Promise((resolve) => server.once('close', resolve));
  const stop = () => {
    server.close();
    server.closeIdleConnections();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  server.listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new InputError(cannotListen(error, host, port), {}, { cause: error });
  });
  const { address, port: taken } = server.address() as AddressInfo;
  process.stdout.write(`listening on http://${address.includes(':') ? `[${address}]` : address}:${taken}\n`);
  await closed;
  process.off('SIGINT', stop).off('SIGTERM', stop);
}

function cannotListen({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  switch (code) {
    case 'EADDRINUSE':
      return `another program listens on ${host}:${port}; choose another --port, 0 for any that is free`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is no address of this machine (--host)`;
    case 'EACCES':
      return `no permission to listen on port ${port}; choose one from 1024 on`;
    default:
      return message;
  }
}
