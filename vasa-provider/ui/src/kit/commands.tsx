import { ExpandableSection } from '@patternfly/react-core';
import type { Call } from '../api/call';
import { ansibleOf } from '../command/ansible';
import { coppiceOf } from '../command/coppice';
import { curlOf } from '../command/curl';
import { useText } from '../text/preferences';
import { LinesByForm } from './lines-by-form';

/** What a form would send, as a line of the command line, of curl, and as a task of Ansible. */
export function Commands({ call }: { call: Call | undefined }) {
  const text = useText();
  if (call === undefined) {
    return null;
  }
  const coppice = coppiceOf(call);
  const forms = [
    ...(coppice === undefined
      ? []
      : [{ key: 'coppice', title: text.commands.coppice, lines: coppice }]),
    { key: 'curl', title: text.commands.curl, lines: curlOf(call, window.location.origin) },
    { key: 'ansible', title: text.commands.ansible, lines: ansibleOf(call, window.location.origin) },
  ];
  return (
    <ExpandableSection toggleText={text.commands.title}>
      <LinesByForm label={text.commands.title} forms={forms} attribute="data-command" />
    </ExpandableSection>
  );
}
