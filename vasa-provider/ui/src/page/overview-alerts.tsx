import { Alert } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../api/call';
import { send } from '../api/send';
import { Time } from '../kit/figure';
import { QueryCard } from '../kit/query-card';
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
    <QueryCard title={text.overview.alerts} query={alerts} wide>
      {({ items }) => (
        <>
          {items.length === 0 && <p>{text.overview.noAlerts}</p>}
          {items.map((alert) => (
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
        </>
      )}
    </QueryCard>
  );
}
