import { preference, usePreference } from './preference.ts';

/** Shows slots, Views, endpoints and the queries behind the panels. Off for visitors. */
const mode = preference<'off' | 'on'>('developer', ['off', 'on'], 'off');

export const useDeveloperMode = (): boolean => usePreference(mode) === 'on';

export const setDeveloperMode = (on: boolean): void => mode.choose(on ? 'on' : 'off');
