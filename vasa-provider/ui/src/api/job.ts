import { call, type Call, type Output } from './call';
import { ProblemError } from './problem';
import { send } from './send';

type Job = Output<'GET /jobs/{id}'>;

const PAUSE_MILLIS = 1_000;
const FAILED = 500;

/**
 * Sends what begins a job, and waits for its end.
 *
 * @throws ProblemError if it is refused, or if the job ends with an error
 */
export async function sendJob(begin: Call<Job>): Promise<Job> {
  let job = await send(begin);
  while (job.state === 'queued' || job.state === 'running') {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLIS));
    job = await send(call('GET /jobs/{id}', { path: { id: job.id } }));
  }
  if (job.state !== 'success') {
    throw new ProblemError(
      job.error ?? {
        type: 'about:blank',
        title: job.state,
        status: FAILED,
        detail: `${job.name}: ${job.state}`,
        code: job.state,
        target: job.vvol,
        traceId: null,
      },
    );
  }
  return job;
}

/** How long a request waits for the end of its job before it answers. */
export const WAIT = '30s';
