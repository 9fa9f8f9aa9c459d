import { CheckGroup } from '../../kit/check-group';
import { DurationField } from '../../kit/duration-field';
import { ChoiceField, TextField } from '../../kit/field';
import type { Unit } from '../../text/duration';
import { useFormat, useText } from '../../text/preferences';
import { DAYS, isTimed, LAST_DAY, MONTHS, type RuleDraft, wrongOf } from './rule-draft';

const UNITS: readonly Unit[] = ['second', 'minute', 'hour'];
const LONGEST_MONTH = 31;
const ZONES: readonly string[] = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];

interface Props {
  rule: RuleDraft;
  set: (change: Partial<RuleDraft>) => void;
}

/** The fields that say when a rule wants a point: those of its kind. */
export function RuleTimes({ rule, set }: Props) {
  const text = useText();
  const t = text.protection;
  const wrong = wrongOf(rule);
  return (
    <>
      {rule.kind === 'every' && (
        <DurationField
          label={t.interval}
          isRequired
          units={UNITS}
          wrong={wrong === 'interval' ? t.needed : undefined}
          value={rule.interval}
          set={(interval) => set({ interval })}
        />
      )}
      {rule.kind === 'hourly' && (
        <TextField
          label={t.minute}
          isRequired
          inputMode="numeric"
          wrong={wrong === 'minute' ? t.minuteWrong : undefined}
          value={rule.minute}
          set={(minute) => set({ minute })}
        />
      )}
      {rule.kind === 'weekly' && <Weekdays rule={rule} set={set} />}
      {rule.kind === 'monthly' && <MonthDays rule={rule} set={set} />}
      {isTimed(rule.kind) && <TimeOfDay rule={rule} set={set} />}
    </>
  );
}

function TimeOfDay({ rule, set }: Props) {
  const t = useText().protection;
  const zones = ZONES.includes(rule.zone) ? ZONES : [rule.zone, ...ZONES];
  return (
    <>
      <TextField
        label={t.at}
        isRequired
        type="time"
        wrong={wrongOf(rule) === 'at' ? t.atWrong : undefined}
        value={rule.at}
        set={(at) => set({ at })}
      />
      <ChoiceField
        label={t.zone}
        value={rule.zone}
        set={(zone) => set({ zone })}
        choices={zones.map((zone) => ({ value: zone, label: zone }))}
      />
    </>
  );
}

function Weekdays({ rule, set }: Props) {
  const t = useText().protection;
  const format = useFormat();
  return (
    <CheckGroup
      label={t.days}
      help={wrongOf(rule) === 'days' ? t.daysWrong : undefined}
      choices={DAYS.map((day, i) => ({ id: day, name: format.weekday(i) }))}
      chosen={rule.days}
      set={(days) => set({ days })}
    />
  );
}

function MonthDays({ rule, set }: Props) {
  const t = useText().protection;
  const format = useFormat();
  const days = Array.from({ length: LONGEST_MONTH }, (_, i) => String(i + 1));
  return (
    <>
      <ChoiceField
        label={t.day}
        value={rule.day}
        set={(day) => set({ day })}
        choices={[
          { value: LAST_DAY, label: t.lastDay },
          ...days.map((day) => ({ value: day, label: day })),
        ]}
      />
      <CheckGroup
        label={t.months}
        help={t.monthsHelp}
        choices={MONTHS.map((month, i) => ({ id: month, name: format.month(i) }))}
        chosen={rule.months}
        set={(months) => set({ months })}
      />
    </>
  );
}
