import { Content } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/call';
import { send } from '../../api/send';
import { CopyLines } from '../../kit/copy-lines';
import { Facts } from '../../kit/facts';
import { QueryCard } from '../../kit/query-card';
import { useText } from '../../text/preferences';
import { registrationUrl } from './refused';

/** The values that vCenter asks for when the provider is added there. */
export function RegistrationForm() {
  const text = useText();
  const t = text.vcenters.form;
  const system = useQuery({
    queryKey: ['space', 'system'],
    queryFn: ({ signal }) => send(call('GET /system'), signal),
  });
  return (
    <QueryCard title={t.title} query={system}>
      {({ urls }) => (
        <>
          <Content component="p">{t.text}</Content>
          <Facts
            of={[
              [t.name, t.nameText],
              [t.url, <CopyLines label={t.url} lines={registrationUrl(urls.vasa)} />],
              [t.user, t.userText],
              [t.password, t.passwordText],
              [t.certificate, t.certificateText],
            ]}
          />
        </>
      )}
    </QueryCard>
  );
}
