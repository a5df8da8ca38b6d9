; A store takes the sum of v_mfma_f32_16x16x16f16 right behind it; gfx90a wants 11 wait states.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
	.amdhsa_code_object_version 6
	.text
	.protected	mfma_result_stored
	.globl	mfma_result_stored
	.p2align	8
	.type	mfma_result_stored,@function
mfma_result_stored:
	s_load_dwordx4	s[4:7], s[0:1], 0x0
	v_lshlrev_b32_e32	v10, 4, v0
	s_waitcnt	lgkmcnt(0)
	global_load_dwordx4	v[0:3], v10, s[4:5]
	s_waitcnt	vmcnt(0)
	v_mov_b32_e32	v4, 0
	v_mov_b32_e32	v5, 0
	v_mov_b32_e32	v6, 0
	v_mov_b32_e32	v7, 0
	s_nop	3
	v_mfma_f32_16x16x16f16	v[4:7], v[0:1], v[2:3], v[4:7]
	global_store_dwordx4	v10, v[4:7], s[6:7] ; BROKEN: mfma-hazard
	s_endpgm
.Lend:
	.size	mfma_result_stored, .Lend-mfma_result_stored
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel mfma_result_stored
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 16
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
		.amdhsa_reserve_vcc 1
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
	.end_amdhsa_kernel
	.amdgpu_metadata
---
amdhsa.kernels:
  - .args:
      - .actual_access:  read_only
        .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .actual_access:  write_only
        .address_space:  global
        .offset:         8
        .size:           8
        .value_kind:     global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 16
    .max_flat_workgroup_size: 64
    .name:           mfma_result_stored
    .private_segment_fixed_size: 0
    .sgpr_count:     30
    .sgpr_spill_count: 0
    .symbol:         mfma_result_stored.kd
    .vgpr_count:     16
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx90a
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata
