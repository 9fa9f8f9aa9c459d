import { Allowed } from '../../kit/allowed';
import { PageFrame } from '../../kit/page-frame';
import { UrlTabs } from '../../kit/url-tabs';
import { useText } from '../../text/preferences';
import { BindingTable } from './binding-table';
import { CertificateTable } from './certificate-table';
import { EndpointTable } from './endpoint-table';
import { RefusedTable } from './refused-table';
import { RegistrationForm } from './registration-form';
import { RegistrationTable } from './registration-table';

/** vCenters and their hosts: who is registered, who is refused, and what is bound. */
export default function VcentersPage() {
  const text = useText();
  const t = text.vcenters;
  return (
    <PageFrame title={t.title}>
      <Allowed operation="GET /registrations">
        <UrlTabs
          label={t.title}
          tabs={[
            {
              key: 'registrations',
              title: t.registrations,
              body: (
                <>
                  <br />
                  <RegistrationForm />
                  <RegistrationTable />
                </>
              ),
            },
            { key: 'refused', title: t.refused, body: <RefusedTable /> },
            { key: 'certificates', title: t.certificates, body: <CertificateTable /> },
            { key: 'bindings', title: t.bindings, body: <BindingTable /> },
            { key: 'endpoints', title: t.endpoints, body: <EndpointTable /> },
          ]}
        />
      </Allowed>
    </PageFrame>
  );
}
