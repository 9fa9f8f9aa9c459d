import DangerIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-error-fill-icon';
import InfoIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-information-fill-icon';
import SuccessIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-check-circle-fill-icon';
import WarningIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-warning-fill-icon';
import '@patternfly/react-styles/css/components/Label/label.css';
import type { ReactNode } from 'react';

const ICONS = {
  danger: <DangerIcon />,
  info: <InfoIcon />,
  success: <SuccessIcon />,
  warning: <WarningIcon />,
};

/**
 * A compact label of PatternFly in a table's cell, without PatternFly's component: that one measures
 * itself and listens to the whole document, which a table that scrolls pays for in every row.
 */
export function Mark(props: {
  status?: keyof typeof ICONS | undefined;
  title?: string;
  children: ReactNode;
}) {
  const { status, title, children } = props;
  const kind = status === undefined ? '' : ` pf-m-${status}`;
  return (
    <span className={`pf-v6-c-label pf-m-filled pf-m-compact${kind}`} title={title}>
      <span className="pf-v6-c-label__content">
        {status !== undefined && <span className="pf-v6-c-label__icon">{ICONS[status]}</span>}
        <span className="pf-v6-c-label__text">{children}</span>
      </span>
    </span>
  );
}
