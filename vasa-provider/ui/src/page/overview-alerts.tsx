import { Alert, Card, CardBody, CardTitle } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../api/call';
import { send } from '../api/send';
import { Time } from '../kit/figure';
import { ProblemAlert } from '../kit/problem-alert';
import { useText } from '../text/preferences';

const SHOWN = 10;
const VARIANTS = { critical: 'danger', warning: 'warning', info: 'info' } as const;

/** The alerts that need a person, the worst first. */
export function ActiveAlerts() {
  const text = useText();
  const alerts = useQuery({
    queryKey: ['alerts', 'active'],
    queryFn: ({ signal }) =>
      send(call('GET /alerts', { query: { state: 'active', sort: 'severity', limit: SHOWN } }), signal),
  });
  return (
    <Card className="c-wide">
      <CardTitle component="h2">{text.overview.alerts}</CardTitle>
      <CardBody>
        {alerts.isError && (
          <ProblemAlert error={alerts.error} retry={() => void alerts.refetch()} />
        )}
        {alerts.data?.items.length === 0 && <p>{text.overview.noAlerts}</p>}
        {alerts.data?.items.map((alert) => (
          <Alert
            key={alert.id}
            isInline
            variant={VARIANTS[alert.severity as keyof typeof VARIANTS] ?? 'warning'}
            title={alert.cause}
            lang="en"
            component="h3"
          >
            <p>
              <Time at={alert.since} />
            </p>
            <p>{alert.effect}</p>
            <p>
              <strong>{text.overview.remedy}:</strong> {alert.remedy}
            </p>
          </Alert>
        ))}
      </CardBody>
    </Card>
  );
}
