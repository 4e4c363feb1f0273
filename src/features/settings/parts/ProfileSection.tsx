import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { displayName } from '#features/accounts/account.ts'
import { MeChanges } from '#features/accounts/profile.ts'
import { useMe } from '#features/accounts/client.web.ts'
import { useMoney } from '#platform/ui/money.web.ts'
import { useOwnTutor } from '#features/tutors/client.web.ts'
import { OwnRateDialog } from '#features/tutors/OwnRateDialog.tsx'
import { helperName } from '#features/workspaces/naming.ts'
import { problemTitle } from '#platform/api.web.ts'
import { RoleBadge } from '#platform/ui/Badge.tsx'
import { Button } from '#platform/ui/Button.tsx'
import { TextField } from '#platform/ui/Field.tsx'
import { useFailure } from '#platform/ui/entry-form.web.ts'
import { inFormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormButtons } from '#platform/ui/FormButtons.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { checkedBy, fieldErrorsOf, fieldIn } from '#platform/ui/form.web.ts'
import { SettingRow } from '#platform/ui/SettingRow.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useUpdateProfile } from '../client.web.ts'
import { toNameChange } from '../settings.ts'
import { AppearanceSelect } from './AppearanceSelect.tsx'
import { CurrencyRow } from './CurrencyRow.tsx'
import { RegionRow } from './RegionRow.tsx'
import { TimeZoneRow } from './TimeZoneRow.tsx'

export function ProfileSection() {
  const me = useMe()
  const money = useMoney()
  const self = useOwnTutor()
  const [isNaming, setIsNaming] = useState(false)
  const [isPricing, setIsPricing] = useState(false)
  const place = me.workspace?.role
  const setsCurrency = place === undefined || place === 'owner' || (place === 'parent' && me.has_all_students)
  return (
    <section className="card list" aria-label="Profile">
      <SettingRow
        title={
          <>
            {displayName(me)} {me.role && <RoleBadge role={me.role} name={helperName(place)} />}
          </>
        }
        line={me.full_name ? 'Your name' : "You haven't added a name yet"}
      >
        <Button tone="secondary" size="small" aria-label="Change name" onClick={() => setIsNaming(true)}>
          Change
        </Button>
      </SettingRow>
      {setsCurrency && <CurrencyRow />}
      {self && place === 'owner' && (
        <SettingRow
          title="Your hourly rate"
          line={self.hourly_rate === null ? 'Not set yet' : `${money(self.hourly_rate)}/hour`}
        >
          <Button
            tone="secondary"
            size="small"
            aria-label="Change hourly rate"
            onClick={() => setIsPricing(true)}
          >
            Change
          </Button>
        </SettingRow>
      )}
      <RegionRow />
      <TimeZoneRow />
      <SettingRow title="Appearance" line="On this device">
        <AppearanceSelect />
      </SettingRow>
      {isPricing && self && <OwnRateDialog self={self} onClose={() => setIsPricing(false)} />}
      {isNaming && <NameDialog onClose={() => setIsNaming(false)} />}
    </section>
  )
}

const NameDialog = inFormBoundary(NameForm)

function NameForm({ onClose }: { onClose: () => void }) {
  const me = useMe()
  const toast = useToast()
  const update = useUpdateProfile()
  const form = useForm<{ full_name: string }>({
    resolver: checkedBy(MeChanges, toNameChange),
    defaultValues: { full_name: me.full_name ?? '' },
  })
  const { problem, fail, clear } = useFailure()
  const submit = form.handleSubmit(async (fields) => {
    clear()
    try {
      await update.mutateAsync({ me, changes: toNameChange(fields) })
      toast.success('Name changed')
      onClose()
    } catch (error) {
      for (const { message } of fieldErrorsOf(error)) form.setError('full_name', { message })
      fail(error, problemTitle(error, 'Failed to change your name'))
    }
  })
  return (
    <FormDialog
      isAboutAccount
      title="Your name"
      isDirty={form.formState.isDirty}
      onClose={onClose}
      problem={problem}
      footer={<FormButtons form="change-name" label="Save" isBusy={update.isPending} onCancel={onClose} />}
    >
      <form id="change-name" onSubmit={submit} noValidate>
        <TextField
          label="Full name"
          autoComplete="name"
          help="Shown in the app and in invitations you send."
          {...fieldIn(form, 'full_name')}
        />
      </form>
    </FormDialog>
  )
}
