import { useMe } from '#features/accounts/client.web.ts'
import { dayIn, formatDay } from '#kernel/calendar-day.ts'
import { regions } from '#kernel/reader.ts'
import { formatTime } from '#kernel/wall-clock.ts'
import { problemTitle } from '#platform/api.web.ts'
import { spokenRegion } from '#platform/region.web.ts'
import { SelectField } from '#platform/ui/EntryField.tsx'
import { SettingRow } from '#platform/ui/SettingRow.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useUpdateProfile } from '../client.web.ts'

/** How the account's person writes dates, times and numbers: as in the browser until someone chooses. */
export function RegionRow() {
  const me = useMe()
  const toast = useToast()
  const update = useUpdateProfile()
  const choose = async (region: string) => {
    try {
      await update.mutateAsync({ me, changes: { region } })
      toast.success('Region changed')
    } catch (error) {
      toast.error('Error', problemTitle(error, 'Failed to change the region'))
    }
  }
  const example = `${formatDay(dayIn(new Date()))}, ${formatTime('16:30')}`
  return (
    <SettingRow title="Region" line={`For dates and numbers, like ${example}`}>
      <div className="only-select w-56">
        <SelectField
          label="Region"
          value={spokenRegion()}
          disabled={update.isPending}
          onChange={(event) => void choose(event.target.value)}
        >
          {regions(spokenRegion()).map(({ region, name }) => (
            <option key={region} value={region}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
    </SettingRow>
  )
}
