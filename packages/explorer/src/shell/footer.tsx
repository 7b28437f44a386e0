import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { duration } from '../format/dates.ts';
import { setDeveloperMode, useDeveloperMode } from '../ui/developer-mode.ts';
import { DeveloperStrip } from './developer-strip.tsx';
import { useGatewayStatus } from './status.ts';

/** Whether the numbers are live, and the way to what is behind them. */
export function Footer(): ReactNode {
  const { connection, problem } = useGatewayStatus();
  const isDeveloper = useDeveloperMode();
  const { tone, text, forMs } = connection;
  return (
    <footer>
      {isDeveloper && <DeveloperStrip />}
      <div className="foot">
        <div className="foot-in">
          <span title={problem}>
            <i className={`dot ${tone}`} />
            <output>{text}</output>
            {forMs !== undefined && ` ${duration(forMs)}`}
          </span>
          <Link href="/status">Data status</Link>
          <button type="button" className="quiet" onClick={() => setDeveloperMode(!isDeveloper)}>
            {isDeveloper ? 'Leave developer mode' : 'Developer mode'}
          </button>
        </div>
      </div>
    </footer>
  );
}
