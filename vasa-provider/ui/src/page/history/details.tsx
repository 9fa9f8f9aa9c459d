import { Content } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Facts } from '../../kit/facts';
import { Time } from '../../kit/figure';
import { given } from '../../kit/given';
import { useText } from '../../text/preferences';
import type { AlertView, AuditedCall, Entry, Job, Occurrence } from './entry';
import { aboutPath, objectPath } from './object-path';

/** All that is known of an entry. */
export function Details({ entry }: { entry: Entry }) {
  switch (entry.kind) {
    case 'alert':
      return <AlertDetails alert={entry.alert} />;
    case 'job':
      return <JobDetails job={entry.job} />;
    case 'event':
      return <EventDetails event={entry.event} />;
    case 'audit':
      return <CallDetails audited={entry.audited} />;
  }
}

function AlertDetails({ alert }: { alert: AlertView }) {
  const text = useText();
  const t = text.history;
  const { about, acknowledgement } = alert;
  return (
    <Facts
      of={given([
        [t.cause, <English>{alert.cause}</English>],
        [t.effect, <English>{alert.effect}</English>],
        [t.remedy, <English>{alert.remedy}</English>],
        [t.severity, t.severities[alert.severity]],
        [t.state, t.states[alert.state]],
        [t.at, <Time at={alert.since} />],
        [t.resolved, timeOf(alert.resolved)],
        [
          t.about,
          <>
            {about.kind} <ToObject name={about.name ?? about.id} to={aboutPath(about.kind, about.id)} />
          </>,
        ],
        [
          t.acknowledged,
          acknowledgement && (
            <>
              {acknowledgement.by}, <Time at={acknowledgement.at} />
            </>
          ),
        ],
        [t.note, acknowledgement?.note],
        [t.mutedUntil, timeOf(alert.mutedUntil)],
        [t.message, alert.message],
        [t.id, alert.id],
      ])}
    />
  );
}

function JobDetails({ job }: { job: Job }) {
  const text = useText();
  const t = text.history;
  const { result, error } = job;
  return (
    <Facts
      of={given([
        [t.action, job.name],
        [t.state, job.state],
        [t.progress, `${job.progress} %`],
        [t.error, error && <English>{error.detail}</English>],
        [t.at, <Time at={job.created} />],
        [t.finished, timeOf(job.finished)],
        [t.volume, job.vvol && <ToObject name={job.vvol} to={objectPath('Volume', job.vvol)} />],
        [t.made, result && result.id],
        [t.id, job.id],
      ])}
    />
  );
}

function EventDetails({ event }: { event: Occurrence }) {
  const text = useText();
  const t = text.history;
  const { objectType, objectId } = event;
  return (
    <Facts
      of={given([
        [t.sentence, <English>{event.sentence}</English>],
        [t.at, <Time at={event.at} />],
        [t.actor, event.actor && `${event.actor.name} (${event.actor.kind})`],
        [
          t.object,
          objectId !== null && (
            <>
              {objectType} <ToObject name={objectId} to={objectPath(objectType, objectId)} />
            </>
          ),
        ],
        [t.change, event.change],
        [t.volumes, event.vvols.length > 0 && <Volumes ids={event.vvols} />],
        [t.type, event.type],
        [t.message, event.message],
        [t.trace, event.traceId],
        [t.id, event.id],
      ])}
    />
  );
}

function CallDetails({ audited }: { audited: AuditedCall }) {
  const text = useText();
  const t = text.history;
  const { actor } = audited;
  return (
    <>
      <Facts
        of={given([
          [t.action, audited.action],
          [t.object, audited.object],
          [t.outcome, outcome()],
          [t.at, <Time at={audited.at} />],
          [t.account, actor.account],
          [t.address, actor.address],
          [t.channel, audited.channel],
          [t.certificate, actor.certificate],
          [t.token, actor.token],
          [t.trace, audited.traceId],
          [t.id, audited.seq],
        ])}
      />
      <Values title={t.asked} of={audited.asked} />
      {audited.changes.length > 0 && (
        <Table
          title={t.changes}
          heads={[t.field, t.before, t.after]}
          rows={audited.changes.map(({ field, before, after }) => [field, before, after])}
        />
      )}
      <Values title={t.before} of={audited.before} />
      <Values title={t.after} of={audited.after} />
    </>
  );

  function outcome(): string {
    const said = t.outcomes[audited.outcome];
    return audited.code === null ? said : `${said} (${audited.code})`;
  }
}

function Values({ title, of }: { title: string; of: AuditedCall['asked'] }) {
  const text = useText();
  const { field } = text.history;
  return (
    of.length > 0 && (
      <Table title={title} heads={[field, title]} rows={of.map(({ name, value }) => [name, value])} />
    )
  );
}

/** A small table of texts. */
function Table(props: {
  title: string;
  heads: readonly string[];
  rows: readonly (readonly (string | null)[])[];
}) {
  return (
    <div className="c-scroll" tabIndex={0} role="region" aria-label={props.title}>
      <table className="c-facts">
        <caption>{props.title}</caption>
        <thead>
          <tr>
            {props.heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((cells, i) => (
            <tr key={i}>
              {cells.map((cell, j) => (
                <td key={j}>{cell ?? '–'}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Volumes({ ids }: { ids: readonly string[] }) {
  return (
    <Content component="ul">
      {ids.map((id) => (
        <li key={id}>
          <ToObject name={id} to={objectPath('Volume', id)} />
        </li>
      ))}
    </Content>
  );
}

/** An object by its name, and the way to its page if it has one. */
function ToObject({ name, to }: { name: string; to: string | undefined }) {
  return to === undefined ? <>{name}</> : <Link to={to}>{name}</Link>;
}

function English({ children }: { children: string }) {
  return <span lang="en">{children}</span>;
}

function timeOf(at: string | null): ReactNode {
  return at === null ? null : <Time at={at} />;
}
