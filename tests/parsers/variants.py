"""Further layouts of the block parsers' tools, beside the one of each in `snapshots`."""

from __future__ import annotations

# long: quoted outputs
VARIANTS: dict[str, tuple[str, ...]] = {
    "amd_smi_table": (
        """
GPU  POWER  GPU_TEMP  MEM_TEMP  GFX_UTIL  GFX_CLOCK  SINGLE_ECC  DOUBLE_ECC  VRAM_USED  VRAM_TOTAL   PCIE_BW

  0  199 W    103 °C     84 °C      99 %   1920 MHz           0           0    1235 MB    16335 MB  N/A Mb/s

PROCESS INFO:
GPU                  NAME      PID  GTT_MEM  CPU_MEM  VRAM_MEM  MEM_USAGE     GFX     ENC
  0                   rvs  1564865    0.0 B    0.0 B    1.1 GB      0.0 B    0 ns    0 ns
""",
        """
timestamp,gpu,gfx_activity,umc_activity,mm_activity,vcn_activity,socket_power,throttle_status,gfx_0_clk,edge,hotspot
1786038263,0,95,80,N/A,"['N/A', 'N/A']",288,THROTTLED,2402,N/A,44
""",
    ),
    "docker_events": (
        """
{"status":"die","id":"3be1c0aabbcc","from":"lmsysorg/sglang:v0.5.9","Type":"container","Action":"die","Actor":{"ID":"3be1c0aabbcc","Attributes":{"exitCode":"137","image":"lmsysorg/sglang:v0.5.9","name":"sgl"}},"scope":"local","time":1771322710,"timeNano":1771322710123456789}
{"Type":"network","Action":"disconnect","Actor":{"ID":"5be1c0","Attributes":{"container":"3be1c0aabbcc","name":"bridge","type":"bridge"}},"scope":"local","time":1771322710,"timeNano":1771322710223456789}
""",
    ),
    "gpustat_json": (
        """
{"hostname":"gpu-1","driver_version":"550.90.07","query_time":"2026-02-17T10:05:12.123456","gpus":[{"index":0,"uuid":"GPU-0a1b2c3d-0000-1111-2222-333344445555","name":"NVIDIA H100 80GB HBM3","temperature.gpu":41,"fan.speed":null,"utilization.gpu":99,"utilization.enc":0,"utilization.dec":0,"power.draw":412,"enforced.power.limit":700,"memory.used":70012,"memory.total":81559,"processes":[{"username":"root","command":"sglang::scheduler_TP0","full_command":["sglang::scheduler_TP0"],"gpu_memory_usage":70000,"cpu_percent":101.2,"cpu_memory_usage":12345678,"pid":61200}]},{"index":1,"uuid":"GPU-0a1b2c3d-0000-1111-2222-333344445556","name":"NVIDIA H100 80GB HBM3","temperature.gpu":35,"fan.speed":null,"utilization.gpu":0,"utilization.enc":0,"utilization.dec":0,"power.draw":112,"enforced.power.limit":700,"memory.used":4,"memory.total":81559,"processes":[]}]}
""",
    ),
    "ibstat": (
        """
hca_id:	mlx5_0
	transport:			InfiniBand (0)
		port:	1
			state:			PORT_ACTIVE (4)
			link_layer:		Ethernet
			active_width:		4X (2)
			active_speed:		25.0 Gbps (32)
			phys_state:		LINK_UP (5)

hca_id:	mlx5_1
		port:	1
			state:			PORT_DOWN (1)
""",
    ),
    "iostat": (
        """
     r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz Device
  812.00    203.0M     0.00   0.0%   18.20   256.0k nvme0n1
    0.01      0.1k     0.00   0.0%    0.30    10.0k sda
""",
        """
Device:         rrqm/s   wrqm/s     r/s     w/s    rMB/s    wMB/s avgrq-sz avgqu-sz   await r_await w_await  svctm  %util
sda               0.00     0.10  812.00    1.00   203.00     0.01    26.67     0.00    1.00    0.50    1.10   0.40  99.05
dm-0              0.00     0.10    0.20    1.00     4.00    12.00    26.67     0.00    1.00    0.50    1.10   0.40   0.05
""",
    ),
    "ipcs": (
        """
------ Shared Memory Limits --------
max number of segments = 4096
max seg size (kbytes) = 18014398509465599
max total shared memory (kbytes) = 18014398509481980
min seg size (bytes) = 1
""",
    ),
    "kernel_log": (
        """
[ 1191.287824] python3: page allocation failure: order:4, mode:0x140cca(GFP_KERNEL), nodemask=(null)
[ 1191.287824] Mem-Info:
[ 1191.288136] active_anon:7284 inactive_anon:19 isolated_anon:0
                active_file:19402 inactive_file:25996 isolated_file:0
                free:78183 free_pcp:74 free_cma:0
[ 1191.288341] Node 0 DMA32 free:44592kB min:44640kB low:55800kB
[ 1191.288341] lowmem_reserve[]: 0 0 13439 13439 13439
[ 1191.288350] Node 0 hugepages_total=512 hugepages_free=512 hugepages_surp=0 hugepages_size=2048kB
[ 1191.288352] 2097038 pages RAM
""",
        """
2026-03-02T11:20:33,123456+00:00 INFO: task python3:123 blocked for more than 120 seconds.
2026-03-02T11:20:33,123457+00:00 "echo 0 > /proc/sys/kernel/hung_task_timeout_secs" disables this message.
2026-03-02T11:20:33,123458+00:00 python3         D ffff8817dddf80b0     0 26120  26119 0x00000080
2026-03-02T11:20:33,123459+00:00  [<ffffffff8168a4e5>] __mutex_lock_slowpath+0xc5/0x1c0
2026-03-02T11:20:34,123459+00:00 watchdog: BUG: soft lockup - CPU#2 stuck for 863s! [python3:795]
""",
    ),
    "lsmem": (
        """
# dmidecode 3.3
Getting SMBIOS data from sysfs.
SMBIOS 3.3.0 present.

Handle 0x0034, DMI type 16, 23 bytes
Physical Memory Array
	Location: System Board Or Motherboard
	Use: System Memory
	Error Correction Type: Multi-bit ECC
	Maximum Capacity: 4 TB
	Error Information Handle: 0x0033
	Number Of Devices: 2

Handle 0x003A, DMI type 17, 92 bytes
Memory Device
	Array Handle: 0x0034
	Error Information Handle: 0x0039
	Total Width: 80 bits
	Data Width: 64 bits
	Size: 64 GB
	Form Factor: DIMM
	Set: None
	Locator: P0_Node0_Channel0_Dimm0
	Bank Locator: BANK 0
	Type: DDR5
	Type Detail: Synchronous Registered (Buffered)
	Speed: 4800 MT/s
	Manufacturer: Samsung
	Serial Number: 01234567
	Asset Tag: Not Specified
	Part Number: M321R8GA0BB0-CQKVG
	Rank: 2
	Configured Memory Speed: 4800 MT/s
	Minimum Voltage: 1.1 V
	Maximum Voltage: 1.1 V
	Configured Voltage: 1.1 V
	Memory Technology: DRAM
	Memory Operating Mode Capability: Volatile memory
	Firmware Version: Unknown
	Module Manufacturer ID: Bank 1, Hex 0xCE
	Module Product ID: Unknown
	Memory Subsystem Controller Manufacturer ID: Unknown
	Memory Subsystem Controller Product ID: Unknown
	Non-Volatile Size: None
	Volatile Size: 64 GB
	Cache Size: None
	Logical Size: None

Handle 0x003B, DMI type 17, 92 bytes
Memory Device
	Array Handle: 0x0034
	Error Information Handle: 0x0039
	Total Width: Unknown
	Data Width: Unknown
	Size: No Module Installed
	Form Factor: Unknown
	Set: None
	Locator: P0_Node0_Channel0_Dimm1
	Bank Locator: BANK 1
	Type: Unknown
	Type Detail: Unknown
""",
    ),
    "mount": (
        """
TARGET                  SOURCE     FSTYPE OPTIONS
/                       /dev/sda1  ext4   rw,relatime
└─/dev/shm              tmpfs      tmpfs  rw,nosuid,nodev,size=16384m
""",
    ),
    "npu_smi": (
        """
	NPU ID                         : 7
	Chip Count                     : 1

	HBM Capacity(MB)               : 65536
	HBM Usage Rate(%)              : 5
	Aicore Usage Rate(%)           : 73
	Chip ID                        : 0
""",
    ),
    "numactl": (
        """
policy: bind
preferred node: 1
physcpubind: 32 33 34 35 96 97 98 99
cpubind: 1
membind: 0 1
""",
    ),
    "nvidia_smi": (
        """
│ NVITOP 1.4.2       Driver Version: 550.90.12      CUDA Driver Version: 12.4 │
├───────────────────────────────┬──────────────────────┬──────────────────────┤
│ GPU  Name        Persistence-M│ Bus-Id        Disp.A │ MIG M.   Uncorr. ECC │
│   0  H800                Off  │ 00000000:18:00.0 Off │ Disabled           0 │ MEM: ▏ 0.0%        │
│ N/A   36C    P0    85W / 700W │   3.50MiB / 79.65GiB │      0%      Default │ UTL: ▏ 0%          │
╘═══════════════════════════════╧══════════════════════╧══════════════════════╧════════════════════╛
[ MEM: ▍ 0.8%                                   USED: 7.92GiB ]  [ SWP: ▏ 0.0%                     ]

│ Processes:                                                                          root@pm-93f2 │
│ GPU     PID      USER  GPU-MEM %SM  %CPU  %MEM  TIME  COMMAND                                    │
│   0   18830 C    root  9316MiB  76   0.0   1.2  5:39  sglang::scheduler_TP0                      │
""",
    ),
    "pip": (
        """
Package                            Version                 Editable project location
---------------------------------- ----------------------- ----------------------------
sglang                             0.5.10rc0               /sgl-workspace/sglang/python
torch                              2.9.1+cu129
""",
        """
# Editable install with no version control (sglang==0.5.20)
-e /sgl-workspace/sglang/python
-e git+https://github.com/sgl-project/sglang.git@60b9e514#egg=sglang&subdirectory=python
sgl-kernel @ file:///wheelhouse/sgl_kernel-0.3.20-cp310-abi3-manylinux.whl#sha256=abc
""",
    ),
    "rocm_smi": (
        """
  "card0": {
    "GPU use (%)": "97",
    "VRAM Total Memory (B)": "21458059264",
    "Card Series": "Radeon RX 7900 XT"
  },
  "system": {
    "Driver version": "6.7.0"
  }
}
""",
    ),
    "top": (
        """
top - 21:17:48 up 27 days, 15:48,  2 users,  load average: 0.00, 0.00, 0.00
Mem:   8192644k total,  8144468k used,    48176k free,   130400k buffers
Swap:  3903784k total,    19388k used,  3884396k free,  7548908k cached
""",
    ),
    "ulimit": (
        """
kernel.shmmax = 18446744073692774399
vm.max_map_count = 65530
/proc/sys/vm/overcommit_memory:2
""",
    ),
    "vmstat": (
        """
     24683652 K total memory
       492320 K used memory
     23070856 K free memory
        28732 K buffer memory
      1419260 K swap cache
            0 K total swap
       525787 non-nice user cpu ticks
     22024973 K paged in
""",
        """
    470286336 K Gesamtspeicher
    459276288 K benutzter Speicher
    180224000 K aktiver Speicher
    260000000 K inaktiver Speicher
      1202336 K freier Speicher
        18044 K Pufferspeicher
      9789668 K Auslagerungsspeicher-Cache
            0 K Gesamt-Auslagerungsspeicher
            0 K benutzter Auslagerungsspeicher
            0 K freier Auslagerungsspeicher
       123456 nicht-nice Benutzer-CPU-Ticks
           12 Untätig-CPU-Ticks
   1796097808 Startzeit
""",
        """
Pamięć razem:                  470286336 K
Pamięć użyta:                  459276288 K
Pamięć aktywna:                180224000 K
Pamięć nieaktywna:             260000000 K
Pamięć wolna:                    1202336 K
Pamięć buforów:                    18044 K
Pam. podr. obsz. wymiany:        9789668 K
Obszar wymiany razem:                  0 K
Obszar wymiany użyty:                  0 K
Obszar wymiany wolny:                  0 K
Cykli CPU użytk. zwykłych:         15578
Danych wczytanych z dysku:       1348349 K
""",
    ),
}
