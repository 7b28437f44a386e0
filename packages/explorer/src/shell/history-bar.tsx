import type { ReactNode } from 'react';
import { Icon } from '../ui/icon.tsx';
import { useGatewayStatus } from './status.ts';

/** One calm line for the page while the past is being read. Panels draw when it is there. */
export function HistoryBar(): ReactNode {
  const recorder = useGatewayStatus().chain?.recorder;
  if (recorder?.status !== 'STARTING') return null;
  const percent = recorder.percent === null ? null : Math.floor(Number(recorder.percent));
  return (
    <div className="notice info history-bar" role="status">
      <Icon name="info" />
      <div className="said">
        <span>
          <b>History is being read{percent !== null && <span aria-hidden="true">, {percent}% done</span>}.</b>{' '}
          Figures of now are complete.
        </span>
        {percent !== null && (
          <progress value={percent} max={100} aria-label="Part of the history that has been read" />
        )}
      </div>
    </div>
  );
}
