import { BusinessHours, type FarmerDetail, type FarmProfile } from '#contract/farmers';
import type { FarmerProfile, User } from '../../prisma/generated/client.ts';
import { presentAddress } from '../users/present.ts';

/** Presents a farm's public profile. */
export const presentFarmProfile = (row: FarmerProfile): FarmProfile => ({
  farmName: row.farmName,
  description: row.description,
  establishedYear: row.establishedYear,
  socialMedia: { facebook: row.facebook, instagram: row.instagram, twitter: row.twitter },
  farmingPractices: row.farmingPractices,
  // Days that were never set are closed.
  businessHours: BusinessHours.parse(row.businessHours),
  acceptsPickup: row.acceptsPickup,
  acceptsDelivery: row.acceptsDelivery,
  deliveryRadius: row.deliveryRadius,
});

/** Presents a farmer with the farm's profile, for everyone. */
export const presentFarmer = (row: User & { farm: FarmerProfile }): FarmerDetail => ({
  farmer: {
    _id: row.id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    address: presentAddress(row),
    createdAt: row.createdAt.toISOString(),
  },
  profile: presentFarmProfile(row.farm),
});
