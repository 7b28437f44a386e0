import { lazy, type ReactNode, Suspense } from 'react';
import { Loading } from '../../ui/states.tsx';
import { ActSection } from '../act-section.tsx';
import { WalletChoices } from '../wallet-choices.tsx';
import { useWalletChoice } from '../wallet-context.tsx';
import type { TasksTarget } from './task.ts';

/** Few visitors open it. */
const TaskChoice = lazy(() => import('./task-choice.tsx'));

interface TasksProps {
  readonly target: TasksTarget;
}

/** The forms of tasks for the chosen wallet. */
export function Tasks({ target }: TasksProps): ReactNode {
  const { wallet } = useWalletChoice();
  if (wallet === null)
    return (
      <>
        <p>Choose a wallet to act with.</p>
        <WalletChoices />
      </>
    );
  return (
    <Suspense fallback={<Loading what="the form" />}>
      <TaskChoice
        key={`${wallet.address} ${target.title} ${target.subject}`}
        wallet={wallet}
        target={target}
      />
    </Suspense>
  );
}

/** The same in a frame. */
export function TasksSection({ target, controls }: TasksProps & { readonly controls: ReactNode }): ReactNode {
  return (
    <ActSection title={target.title} controls={controls}>
      <Tasks target={target} />
    </ActSection>
  );
}
