import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Address, Instruction } from '@solana/kit';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Whether the official SDK is installed; `npm run vectors` installs it. */
export const hasSdk = existsSync(`${ROOT}/test/oracle/node_modules/@kamino-finance/klend-sdk`);

export type SdkAction = 'deposit' | 'borrow' | 'repay' | 'withdraw' | 'vaultDeposit' | 'vaultWithdraw';

export interface SdkRequest {
  readonly action: SdkAction;
  readonly wallet: Address;
  readonly market: Address;
  readonly reserve: Address;
  readonly vault: Address;
  /** Base units of tokens, of shares for a vault withdrawal. */
  readonly amount: string;
}

interface Answer {
  readonly error?: string;
  readonly instructions?: readonly {
    readonly programAddress: Address;
    readonly accounts: readonly { readonly address: Address; readonly role: number }[];
    readonly data: string;
  }[];
}

/** The official SDK in a process of its own, because it has another version of kit. */
export class SdkBuilder {
  readonly #child: ChildProcess;
  readonly #answers: AsyncIterator<string>;

  constructor(rpcUrl: string) {
    const script = 'test/oracle/execution/build-actions.ts';
    const child = spawn(process.execPath, ['--import', 'tsx', script, rpcUrl], {
      cwd: ROOT,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child = child;
    this.#answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  async build(request: SdkRequest): Promise<Instruction[]> {
    this.#child.stdin?.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await this.#answers.next();
    if (done === true) throw new Error('the SDK has stopped');
    const { instructions, error } = JSON.parse(value) as Answer;
    if (instructions === undefined) throw new Error(error);
    return instructions.map(({ data, ...rest }) => ({ ...rest, data: Buffer.from(data, 'hex') }));
  }

  stop(): void {
    this.#child.stdin?.end();
  }
}
