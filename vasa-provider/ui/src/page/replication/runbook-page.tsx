import { Content } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { call } from '../../api/call';
import { type PageCall, useRows } from '../../api/lists';
import { send } from '../../api/send';
import { Facts } from '../../kit/facts';
import { Time } from '../../kit/figure';
import { given } from '../../kit/given';
import { PageFrame } from '../../kit/page-frame';
import { QueryCard } from '../../kit/query-card';
import { useFormat, useText } from '../../text/preferences';
import { shortTime } from './lag';
import { RunbookActions } from './runbook-actions';
import { runbookDraft } from './runbook-draft';
import { linesOf } from './runbook-lines';
import { OutcomeMark, RunMark } from './runbook-marks';
import { type Report, type Runbook, RUNBOOK_MILLIS, useNames } from './runbooks';

function reportsOf(id: string): PageCall<Report> {
  return (query) => call('GET /replication/runbooks/{id}/runs', { path: { id }, query });
}

/** One runbook: its steps, its tests, and what was done by it. */
export default function RunbookPage() {
  const text = useText();
  const id = useParams().id!;
  const t = text.runbooks;
  const runbook = useQuery({
    queryKey: ['replication', 'runbook', id],
    refetchInterval: RUNBOOK_MILLIS,
    queryFn: ({ signal }) => send(call('GET /replication/runbooks/{id}', { path: { id } }), signal),
  });
  const data = runbook.data;
  const reports = useRows(
    ['replication', 'runs', id],
    reportsOf(id),
    data !== undefined,
    RUNBOOK_MILLIS,
  );
  const all = reports.data?.rows ?? [];
  const hasTest = all.some(({ kind, ended, testsOpen }) =>
    kind === 'test' ? ended === null || testsOpen : false,
  );
  return (
    <PageFrame
      title={data?.name ?? id}
      from={{ to: '/replication?tab=runbooks', title: text.replication.title }}
      head={data !== undefined && <RunbookActions runbook={data} hasTest={hasTest} />}
    >
      <div className="c-cards">
        <QueryCard title={t.fields.steps} query={runbook}>
          {(found) => <Plan runbook={found} />}
        </QueryCard>
        <QueryCard title={t.tests} query={runbook}>
          {(found) => <Tests runbook={found} />}
        </QueryCard>
        {all.map((report) => (
          <QueryCard key={report.id} title={t.reportTitle(report.kind, report.number)} wide query={reports}>
            {() => <ReportFacts report={report} />}
          </QueryCard>
        ))}
      </div>
      {reports.data?.rows.length === 0 && <p className="c-quiet">{t.noReports}</p>}
    </PageFrame>
  );
}

/** What happens, in order. */
function Plan({ runbook }: { runbook: Runbook }) {
  const t = useText().runbooks;
  const draft = runbookDraft(runbook, useNames());
  const list = (lines: string) => {
    const all = linesOf(lines);
    return all.length > 0 && all.map((line) => <div key={line}>{line}</div>);
  };
  return (
    <>
      <Content component="ol">
        {linesOf(draft.steps).map((step) => (
          <li key={step}>{step}</li>
        ))}
      </Content>
      <Facts
        of={given([
          [t.fields.exports, list(draft.exports)],
          [t.fields.exportTests, list(draft.exportTests)],
          [t.fields.oldest, draft.oldest],
        ])}
      />
    </>
  );
}

/** When it is tested, and how that went. */
function Tests({ runbook }: { runbook: Runbook }) {
  const t = useText().runbooks;
  const { next, tested, testState, testSentence } = runbook;
  return (
    <Facts
      of={given([
        [t.fields.schedule, runbookDraft(runbook).schedule || t.unscheduled],
        [t.next, next !== null && <Time at={next} />],
        [t.fields.holdFor, runbookDraft(runbook).holdFor],
        [t.tested, tested === null ? t.untested : <Time at={tested} />],
        [t.testState, testState !== null && <RunMark state={testState} />],
        [t.why, testSentence !== null && <span lang="en">{testSentence}</span>],
      ])}
    />
  );
}

/** What was done, and what became of each group. */
function ReportFacts({ report }: { report: Report }) {
  const text = useText();
  const format = useFormat();
  const t = text.runbooks;
  const groups = report.steps.flatMap((step) =>
    step.groups.map((group) => ({ ...group, step: step.number })),
  );
  return (
    <>
      <Facts
        of={given([
          [t.testState, <RunMark state={report.state} />],
          [t.why, report.sentence !== null && <span lang="en">{report.sentence}</span>],
          [t.by, report.by],
          [t.begun, <Time at={report.begun} />],
          [t.ended, report.ended !== null && <Time at={report.ended} />],
        ])}
      />
      <table className="c-facts">
        <thead>
          <tr>
            {[t.step, t.group, t.outcome, t.age, t.took, t.exported, t.why].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr key={group.group}>
              <td>{group.step}</td>
              <th scope="row">{group.name}</th>
              <td>
                <OutcomeMark outcome={group.outcome} />
              </td>
              <td>{group.age === null ? '' : shortTime(group.age, format)}</td>
              <td>{group.took === null ? '' : shortTime(group.took, format)}</td>
              <td>{group.exported}</td>
              <td lang="en">{group.sentences.join(' ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
