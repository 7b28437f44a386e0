import { type ReactNode, useState } from 'react';
import { ActionForm } from '../action-form.tsx';
import { PreviewSection } from '../preview-section.tsx';
import { SelectField } from '../select-field.tsx';
import type { ActWallet } from '../wallet-context.tsx';
import { initialTexts, readTask, type Task, type TasksTarget } from './task.ts';
import { TaskEffects } from './task-effects.tsx';
import { TaskFields } from './task-fields.tsx';

interface TaskChoiceProps {
  readonly target: TasksTarget;
  readonly wallet: ActWallet;
}

/** One of several tasks, with its form. */
export default function TaskChoice({ target, wallet }: TaskChoiceProps): ReactNode {
  const { tasks, symbols } = target;
  const [chosen, choose] = useState(tasks[0]);
  if (chosen === undefined) return null;
  const current = tasks.find(({ name }) => name === chosen.name);
  // One that is done may not be possible again. Its outcome stays until another one is chosen.
  const shown = current ?? chosen;
  const offered = current === undefined ? [chosen, ...tasks] : tasks;
  return (
    <div className="act-form">
      {offered.length > 1 && (
        <SelectField
          label="What to do"
          value={shown.name}
          options={offered.map(({ name }) => [name, name] as const)}
          onChange={(name) => choose(tasks.find((each) => each.name === name) ?? chosen)}
        />
      )}
      <TaskForm key={shown.name} task={shown} wallet={wallet} symbols={symbols} />
    </div>
  );
}

interface TaskFormProps {
  readonly task: Task;
  readonly wallet: ActWallet;
  readonly symbols: TasksTarget['symbols'];
}

function TaskForm({ task, wallet, symbols }: TaskFormProps): ReactNode {
  const [texts, setTexts] = useState(() => initialTexts(task.fields));
  const { action, mistakes } = readTask(task, wallet.address, texts);
  return (
    <ActionForm
      action={action}
      wallet={wallet}
      name={task.name}
      previewed={(state) => (
        <PreviewSection state={state} missing="Fill in the form to see what it changes.">
          {(preview) => <TaskEffects preview={preview} task={task} symbols={symbols} />}
        </PreviewSection>
      )}
    >
      <p className="muted">{task.about}</p>
      <TaskFields
        fields={task.fields}
        texts={texts}
        mistakes={mistakes}
        onChange={(key, text) => setTexts((before) => ({ ...before, [key]: text }))}
      />
    </ActionForm>
  );
}
