import { useMe } from '#features/accounts/client.web.ts'
import { timeZones } from '#kernel/time-zone.ts'
import { problemTitle } from '#platform/api.web.ts'
import { SelectField } from '#platform/ui/EntryField.tsx'
import { SettingRow } from '#platform/ui/SettingRow.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useUpdateProfile } from '../client.web.ts'

/** The account's time zone: the browser's until someone chooses one. */
export function TimeZoneRow() {
  const me = useMe()
  const toast = useToast()
  const update = useUpdateProfile()
  const choose = async (timeZone: string) => {
    try {
      await update.mutateAsync({ me, changes: { time_zone: timeZone } })
      toast.success('Time zone changed')
    } catch (error) {
      toast.error('Error', problemTitle(error, 'Failed to change the time zone'))
    }
  }
  return (
    <SettingRow
      title="Time zone"
      line={
        me.has_chosen_time_zone ? 'For emails and documents' : 'For emails and documents, as in your browser'
      }
    >
      <div className="only-select w-56">
        <SelectField
          label="Time zone"
          value={me.time_zone ?? ''}
          disabled={update.isPending}
          onChange={(event) => void choose(event.target.value)}
        >
          {me.time_zone === null && <option value="">Not known yet</option>}
          {timeZones(me.time_zone).map((zone) => (
            <option key={zone} value={zone}>
              {zone.replaceAll('_', ' ')}
            </option>
          ))}
        </SelectField>
      </div>
    </SettingRow>
  )
}
