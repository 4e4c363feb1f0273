import type { ReactNode } from 'react'
import { useChargesBeside } from '#features/charges/client.web.ts'
import { ChargesBesideList } from '#features/charges/ChargesBesideList.tsx'
import AddSessionPage from '#features/sessions/AddSessionPage.tsx'
import { late } from '#platform/ui/late.tsx'

const VoiceTab = late(async () => (await import('#features/voice/VoiceTab.tsx')).default)

/** Adds a session by voice or by hand, along with the charges and the payment that were said with it. */
export default function AddSessionScreen({ ownRate }: { ownRate: ReactNode }) {
  const { charges, keep, save } = useChargesBeside()
  return (
    <AddSessionPage
      ownRate={ownRate}
      voice={({ onUse, ...tab }) => (
        <VoiceTab
          {...tab}
          onUse={(fields, said) => {
            keep(said)
            onUse(fields)
          }}
        />
      )}
      beside={
        charges.length === 0
          ? undefined
          : {
              shown: (
                <ChargesBesideList
                  charges={charges}
                  onRemove={(charge) => keep(charges.filter((one) => one !== charge))}
                />
              ),
              save,
              forget: () => keep([]),
            }
      }
    />
  )
}
