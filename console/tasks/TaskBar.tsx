import { messages } from "../language/language.js";
import { failureTitle } from "../parts/failureTitle.js";
import { useSteadyClicks } from "../parts/useSteadyClicks.js";
import { place } from "../places/address.js";
import { Link } from "../places/Link.js";
import { formatPlace } from "../places/place.js";
import { forgetTask, type Task, tasks } from "./task.js";

/** The work that is under way. A screen that shows its work itself leaves it out here. */
export function TaskBar() {
  const here = formatPlace(place.value);
  const shown = tasks.value.filter((task) => task.goOn !== undefined || formatPlace(task.place) !== here);
  if (shown.length === 0) return null;
  return (
    <section class="tasks" aria-label={messages.value.tasks.label}>
      {shown.map((task, index) => (
        <TaskCard key={index} task={task} />
      ))}
    </section>
  );
}

function TaskCard({ task }: { task: Task }) {
  const texts = messages.value.tasks;
  const { done, all } = task.progress.value;
  const state = task.state.value;
  const failure = task.failure.value;
  const steadyClicks = useSteadyClicks(task, state);
  const title = task.title(messages.value);
  return (
    <div class="task" data-state={state} {...steadyClicks}>
      <Link to={task.place}>{title}</Link>
      {state === "running" && <progress max={Math.max(1, all)} value={done} aria-label={title} />}
      <p role="status">{failure ? failureTitle(failure, messages.value) : task.outcome(messages.value)}</p>
      <p class="actions">
        {state === "failed" && task.goOn && (
          <button type="button" onClick={() => task.goOn?.()}>
            {texts.goOn}
          </button>
        )}
        {state === "running" ? (
          <button type="button" onClick={() => task.stop()}>
            {texts.stop}
          </button>
        ) : (
          <button type="button" class="quiet" onClick={() => forgetTask(task)}>
            {texts.dismiss}
          </button>
        )}
      </p>
    </div>
  );
}
