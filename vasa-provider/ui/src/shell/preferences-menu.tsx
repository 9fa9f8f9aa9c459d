import {
  Form,
  FormGroup,
  FormSelect,
  FormSelectOption,
  MenuToggle,
  Popover,
} from '@patternfly/react-core';
import CogIcon from '@patternfly/react-icons/dist/esm/icons/cog-icon';
import { useStore } from '../api/store';
import {
  type Language,
  prefer,
  preferences,
  type Theme,
  useText,
  type Zone,
} from '../text/preferences';

/** Appearance, language and time zone of this browser. */
export function PreferencesMenu() {
  const text = useText();
  const now = useStore(preferences);
  const { themes, zones } = text.preferences;
  return (
    <Popover
      aria-label={text.preferences.open}
      headerContent={text.preferences.open}
      bodyContent={
        <Form>
          <FormGroup label={text.preferences.theme} fieldId="theme">
            <FormSelect
              id="theme"
              value={now.theme}
              onChange={(_, theme) => prefer({ theme: theme as Theme })}
            >
              {Object.entries(themes).map(([value, label]) => (
                <FormSelectOption key={value} value={value} label={label} />
              ))}
            </FormSelect>
          </FormGroup>
          <FormGroup label={text.preferences.language} fieldId="language">
            <FormSelect
              id="language"
              value={now.language}
              onChange={(_, language) => prefer({ language: language as Language })}
            >
              <FormSelectOption value="en" label="English" lang="en" />
              <FormSelectOption value="de" label="Deutsch" lang="de" />
            </FormSelect>
          </FormGroup>
          <FormGroup label={text.preferences.zone} fieldId="zone">
            <FormSelect
              id="zone"
              value={now.zone}
              onChange={(_, zone) => prefer({ zone: zone as Zone })}
            >
              {Object.entries(zones).map(([value, label]) => (
                <FormSelectOption key={value} value={value} label={label} />
              ))}
            </FormSelect>
          </FormGroup>
        </Form>
      }
    >
      <MenuToggle variant="plain" icon={<CogIcon />} aria-label={text.preferences.open} />
    </Popover>
  );
}
