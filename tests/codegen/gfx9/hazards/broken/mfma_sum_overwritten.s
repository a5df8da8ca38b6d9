; v_mov_b32 overwrites C of v_mfma_f32_32x32x8_f16 while it is still being read: 7 wait states are wanted, 1 is there.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 6
	.text
	.protected	mfma_sum_overwritten
	.globl	mfma_sum_overwritten
	.p2align	8
	.type	mfma_sum_overwritten,@function
mfma_sum_overwritten:
	s_load_dwordx4	s[4:7], s[0:1], 0x0
	v_lshlrev_b32_e32	v10, 4, v0
	s_waitcnt	lgkmcnt(0)
	global_load_dwordx4	v[0:3], v10, s[4:5]
	s_waitcnt	vmcnt(0)
	v_mov_b32_e32	v12, 0
	v_mov_b32_e32	v13, 0
	v_mov_b32_e32	v14, 0
	v_mov_b32_e32	v15, 0
	v_mov_b32_e32	v16, 0
	v_mov_b32_e32	v17, 0
	v_mov_b32_e32	v18, 0
	v_mov_b32_e32	v19, 0
	v_mov_b32_e32	v20, 0
	v_mov_b32_e32	v21, 0
	v_mov_b32_e32	v22, 0
	v_mov_b32_e32	v23, 0
	v_mov_b32_e32	v24, 0
	v_mov_b32_e32	v25, 0
	v_mov_b32_e32	v26, 0
	v_mov_b32_e32	v27, 0
	v_mov_b32_e32	v28, 0
	v_mov_b32_e32	v29, 0
	v_mov_b32_e32	v30, 0
	v_mov_b32_e32	v31, 0
	v_mov_b32_e32	v32, 0
	v_mov_b32_e32	v33, 0
	v_mov_b32_e32	v34, 0
	v_mov_b32_e32	v35, 0
	v_mov_b32_e32	v36, 0
	v_mov_b32_e32	v37, 0
	v_mov_b32_e32	v38, 0
	v_mov_b32_e32	v39, 0
	v_mov_b32_e32	v40, 0
	v_mov_b32_e32	v41, 0
	v_mov_b32_e32	v42, 0
	v_mov_b32_e32	v43, 0
	s_nop	3
	v_mfma_f32_32x32x8_f16	v[28:43], v[0:1], v[2:3], v[12:27]
	s_nop	0
	v_mov_b32_e32	v27, 1.0 ; BROKEN: mfma-hazard
	s_nop	15
	s_nop	7
	global_store_dword	v10, v43, s[6:7]
	s_endpgm
.Lend:
	.size	mfma_sum_overwritten, .Lend-mfma_sum_overwritten
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel mfma_sum_overwritten
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 16
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 48
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 48
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
    .name:           mfma_sum_overwritten
    .private_segment_fixed_size: 0
    .sgpr_count:     30
    .sgpr_spill_count: 0
    .symbol:         mfma_sum_overwritten.kd
    .vgpr_count:     48
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata
