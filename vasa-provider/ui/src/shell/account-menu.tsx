import { Dropdown, DropdownItem, DropdownList, MenuToggle } from '@patternfly/react-core';
import UserIcon from '@patternfly/react-icons/dist/esm/icons/user-icon';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { logout, session } from '../api/session';
import { useStore } from '../api/store';
import { toast } from '../kit/toasts';
import { useFormat, useText } from '../text/preferences';

/** Who is logged in, until when, and the way out. */
export function AccountMenu() {
  const text = useText();
  const format = useFormat();
  const queries = useQueryClient();
  const now = useStore(session);
  const [open, setOpen] = useState(false);
  if (now.state !== 'open' && now.state !== 'ended') {
    return null;
  }

  async function leave(): Promise<void> {
    try {
      await logout();
      queries.clear();
    } catch (e) {
      toast('danger', e instanceof Error ? e.message : String(e));
    }
  }

  return (
    <Dropdown
      isOpen={open}
      onOpenChange={setOpen}
      popperProps={{ position: 'right' }}
      toggle={(ref) => (
        <MenuToggle
          ref={ref}
          isExpanded={open}
          onClick={() => setOpen(!open)}
          icon={<UserIcon />}
          data-account={now.own.name}
        >
          {text.account.of(now.own.name, now.own.role)}
        </MenuToggle>
      )}
    >
      <DropdownList>
        <DropdownItem
          description={text.account.ends(format.clock(now.own.ends))}
          onClick={() => void leave()}
        >
          {text.account.logout}
        </DropdownItem>
      </DropdownList>
    </Dropdown>
  );
}
