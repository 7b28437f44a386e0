import nodeModule from 'node:module';
import { unsupportedNode } from './node/supported-version.ts';

/**
 * Process entry. Everything else is imported only after the version check, so that an unsupported Node gets a message
 * instead of a syntax error, and after the compile cache is on, so that it covers the whole program.
 */
const unsupported = unsupportedNode(process.versions.node);
if (unsupported === null) {
  // Node 22.1 and newer.
  if ('enableCompileCache' in nodeModule) (nodeModule.enableCompileCache as () => void)();
  const { runGateway } = await import('./app/run-gateway.ts');
  await runGateway();
} else {
  process.stderr.write(`${unsupported}\n`);
  process.exitCode = 1;
}
