import { Content } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/call';
import { send } from '../../api/send';
import { CopyLines } from '../../kit/copy-lines';
import { Facts } from '../../kit/facts';
import { QueryCard } from '../../kit/query-card';
import { useText } from '../../text/preferences';

/** The values that vCenter asks for when the provider is added there. */
export function RegistrationForm() {
  const text = useText();
  const t = text.vcenters.form;
  const form = useQuery({
    queryKey: ['registration-form'],
    refetchOnMount: 'always', // the certificate is renewed without an event
    queryFn: ({ signal }) => send(call('GET /registrations/form'), signal),
  });
  return (
    <QueryCard title={t.title} query={form}>
      {({ url, user, passwordFile, fingerprint }) => (
        <>
          <Content component="p">{t.text}</Content>
          <Facts
            of={[
              [t.name, t.nameText],
              [t.url, <CopyLines label={t.url} lines={url} />],
              [t.user, <CopyLines label={t.user} lines={user} />],
              [t.password, <CopyLines label={t.password} lines={`cat ${passwordFile}`} />],
              [t.certificate, <CopyLines label={t.certificate} lines={fingerprint} />],
            ]}
          />
          <Content component="p">{t.certificateText}</Content>
        </>
      )}
    </QueryCard>
  );
}
