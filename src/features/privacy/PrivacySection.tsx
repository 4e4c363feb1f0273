import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Me } from '#features/accounts/account.ts'
import { useMe } from '#features/accounts/client.web.ts'
import { problemTitle } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { HelpLink } from '#platform/ui/HelpLink.tsx'
import { late } from '#platform/ui/late.tsx'
import { SettingRow } from '#platform/ui/SettingRow.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { downloadExport } from './client.web.ts'

const DeleteAccountDialog = late(async () => (await import('./DeleteAccountDialog.tsx')).DeleteAccountDialog)

/** Whether the current user's export is the whole family or practice, because they see all of it. */
function exportsRecords({ workspace, has_all_students: hasAll }: Me): boolean {
  return workspace?.role === 'owner' || (workspace?.role === 'parent' && hasAll)
}

function exported(me: Me): string {
  if (me.workspace && !exportsRecords(me)) return 'Everything that belongs to your account, in one file'
  return me.workspace?.kind === 'practice'
    ? 'All sessions, students and schedules in one file'
    : 'All sessions, children, tutors and schedules in one file'
}

export function PrivacySection() {
  const me = useMe()
  const toast = useToast()
  const [isExporting, setIsExporting] = useState(false)
  const [query, setQuery] = useSearchParams()
  // Someone without a password returns here from Google after signing in again.
  const [isDeleting, setIsDeleting] = useState(query.get('delete') === 'ask')
  useEffect(() => {
    if (query.has('delete')) setQuery({}, { replace: true })
  }, [query, setQuery])
  const download = async () => {
    setIsExporting(true)
    try {
      await downloadExport()
      toast.success('Export ready', 'You’ll find the file in your downloads.')
    } catch (error) {
      toast.error('Error', problemTitle(error, 'Failed to export your data'))
    } finally {
      setIsExporting(false)
    }
  }
  return (
    <section className="card list" aria-label="Your data">
      <SettingRow
        title="Export your data"
        line={
          <>
            {exported(me)}
            {exportsRecords(me) && (
              <>
                . <HelpLink topic="your-data">How to check it</HelpLink>
              </>
            )}
          </>
        }
      >
        <Button
          tone="secondary"
          size="small"
          busy={isExporting}
          busyText="Packing..."
          onClick={() => void download()}
        >
          Export
        </Button>
      </SettingRow>
      <SettingRow title="Delete account" line="Everything is erased within 30 days">
        <Button tone="danger-outline" size="small" onClick={() => setIsDeleting(true)}>
          Delete
        </Button>
      </SettingRow>
      {isDeleting && <DeleteAccountDialog onClose={() => setIsDeleting(false)} />}
    </section>
  )
}
