import { duration } from '../../format/dates.ts';
import type { Chain } from '../../shell/status.ts';
import type { Tone } from '../../ui/notice.tsx';

/** How a gateway gets the chain, by the name of its role. */
export const ROLES: Readonly<Record<string, string>> = {
  standalone: 'It reads the chain itself',
  reader: 'It reads the chain, and others follow it',
  follower: 'It follows the feed of another gateway',
};

interface HistoryWords {
  readonly tone: Tone;
  readonly text: string;
  readonly detail: string;
}

/** The state of recorded history, in words. */
export function historyWords(recorder: Chain['recorder']): HistoryWords {
  if (recorder === null) return { tone: 'info', text: 'Off', detail: 'This gateway records no history' };
  const { status, percent, lagMs, doing, leading } = recorder;
  const writes = leading === true ? 'This gateway writes it' : 'Another process writes it';
  if (status === 'STARTING')
    return {
      tone: 'info',
      text: percent === null ? 'Starting' : `${percent}% read`,
      detail: doing ?? 'It is being opened',
    };
  if (status !== 'READY')
    return { tone: 'danger', text: 'Not available', detail: doing ?? 'Its database does not answer' };
  if (lagMs === null) return { tone: 'info', text: 'Empty', detail: writes };
  return { tone: 'safe', text: 'Recorded', detail: `Newest sample ${duration(lagMs)} old. ${writes}` };
}
